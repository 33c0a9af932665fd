import { changeApi, lessonChannel, weekday_names } from '@campus/teaching/contract'
import type { AskedCover, DayLesson } from '@campus/teaching/contract'
import { call, useChannel } from '@kit/web'
import { useAct } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'

const swap = 2

/** 待我同意: lessons that I am asked to take or to swap (chapter 50 §2). */
export function AskedCovers({ onDone }: { onDone: () => void }): ReactNode {
  const query = useCall(changeApi.mine, {})
  const again = () => {
    void query.refetch()
    onDone()
  }
  useChannel(lessonChannel, () => void query.refetch())
  const { busy, act } = useAct([], again)
  const answer = ({ id, kind }: AskedCover, agreed: boolean) => void act(() => call(changeApi.answer, { id, agreed }, { quiet: true }),
    { done: agreed ? (kind === swap ? '已同意，等待教务审批' : '已同意') : '已谢绝' })
  return (query.data?.list ?? []).map(one => (
    <Alert
      key={one.id} type="warning" showIcon description={one.reason}
      title={`${one.by_name}${one.kind === swap ? '请与您对调' : '请您代课'}：${textOf(one)}`}
      action={
        <>
          <Button size="small" disabled={busy} aria-label={`谢绝 ${textOf(one)}`} onClick={() => answer(one, false)}>谢绝</Button>
          <Button size="small" type="primary" disabled={busy} aria-label={`同意 ${textOf(one)}`} onClick={() => answer(one, true)}>同意</Button>
        </>
      }
    />
  ))
}

function textOf({ lesson, other, from_name }: AskedCover): string {
  return other === null ? `${lessonText(lesson)}（原教师${from_name}）` : `您的${lessonText(lesson)}，对方的${lessonText(other)}`
}

function lessonText({ date, weekday, section, class_name, course_name }: DayLesson): string {
  return `${date} ${weekday_names[weekday] ?? ''} 第${section}节 ${class_name} ${course_name}`
}
