import { changeApi, lessonChannel, weekday_names } from '@campus/teaching/contract'
import type { AskedCover } from '@campus/teaching/contract'
import { call, useChannel } from '@kit/web'
import { useAct } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'

/** 待我同意: lessons that I am asked to take (chapter 50 §2). */
export function AskedCovers({ onDone }: { onDone: () => void }): ReactNode {
  const query = useCall(changeApi.mine, {})
  const again = () => {
    void query.refetch()
    onDone()
  }
  useChannel(lessonChannel, () => void query.refetch())
  const { busy, act } = useAct([], again)
  const answer = ({ id }: AskedCover, agreed: boolean) => void act(() => call(changeApi.answer, { id, agreed }, { quiet: true }),
    { done: agreed ? '已同意，课表已更新' : '已谢绝' })
  return (query.data?.list ?? []).map(one => (
    <Alert
      key={one.id} type="warning" showIcon title={`${one.by_name}请您代课：${textOf(one)}`} description={one.reason}
      action={
        <>
          <Button size="small" disabled={busy} aria-label={`谢绝 ${textOf(one)}`} onClick={() => answer(one, false)}>谢绝</Button>
          <Button size="small" type="primary" disabled={busy} aria-label={`同意 ${textOf(one)}`} onClick={() => answer(one, true)}>同意</Button>
        </>
      }
    />
  ))
}

function textOf({ lesson: { date, weekday, section, class_name, course_name }, from_name }: AskedCover): string {
  return `${date} ${weekday_names[weekday] ?? ''} 第${section}节 ${class_name} ${course_name}（原教师${from_name}）`
}
