import { changeApi, lessonChannel, order_states, weekday_names } from '@campus/teaching/contract'
import type { ChangeRequest } from '@campus/teaching/contract'
import { call, useChannel } from '@kit/web'
import { useAct } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'

const names: Readonly<Record<number, string>> = order_states

/** 我的申请: changes that I asked for and that wait for the other teacher or the office; each may be taken back. */
export function OwnRequests({ rev }: { rev: number }): ReactNode {
  const query = useCall(changeApi.requests, {})
  const again = () => void query.refetch()
  useChannel(lessonChannel, again)
  const { busy, act } = useAct([], again)
  const withdraw = ({ id }: ChangeRequest) => void act(() => call(changeApi.withdraw, { id }, { quiet: true }), { done: '已撤回，课表不变' })
  return (query.data?.list ?? []).filter(one => one.may_withdraw).map(one => (
    <Alert
      key={`${one.id} ${rev}`} type="info" showIcon title={`${names[one.state] ?? ''}：${textOf(one)}`} description={one.reason}
      action={<Button size="small" disabled={busy} aria-label={`撤回 ${one.order_no}`} onClick={() => withdraw(one)}>撤回</Button>}
    />
  ))
}

function textOf({ lesson: { date, weekday, section, class_name, course_name }, target, waits_for }: ChangeRequest): string {
  return `${date} ${weekday_names[weekday] ?? ''} 第${section}节 ${class_name} ${course_name} ${target}（等待${waits_for}）`
}
