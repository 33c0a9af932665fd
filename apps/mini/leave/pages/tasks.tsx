import type { LeaveFile, LeaveTask } from '@campus/leave/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { LeavePage } from '../page.ts'
import { ProofPictures } from './proofs.tsx'
import { spanText, timeText, typeName } from '../words.ts'

type Verdict = 'pass' | 'refuse' | 'sendBack'
const verdicts: readonly [Verdict, string][] = [['pass', '同意'], ['refuse', '拒绝'], ['sendBack', '退回']]
const most_at_once = 50

/** 审批: what waits for me, the one that waits longest first. */
export function Tasks({ call, say, onDecided }: LeavePage & { onDecided: () => void }): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('tasks', { page_size: 50 }), [call]))
  const decided = (msg: string) => {
    say(msg)
    again()
    onDecided()
  }
  const all = () => void call('batchPass', { task_ids: (data?.list ?? []).slice(0, most_at_once).map(one => one.task_id) }).then(
    ({ done, failed }) => decided(failed.length === 0 ? `已同意${done}条` : `已同意${done}条，${failed.length}条未通过：${failed[0]?.msg ?? ''}`),
    (cause: unknown) => say(sentenceOf(cause)),
  )
  return (
    <Card title={`待审批 ${data?.todo ?? ''}`} side={(data?.list.length ?? 0) > 1 ? <button type="button" className="link" onClick={all}>全部同意</button> : undefined}>
      {failure !== undefined && !data && <Failed msg={failure} onAgain={again} />}
      {!data && failure === undefined && <Bars rows={4} />}
      {data?.list.length === 0 && <p className="empty">没有待审批的请假</p>}
      <ul className="lines">{data?.list.map(task => <TaskCard key={task.task_id} task={task} call={call} say={say} onDone={decided} />)}</ul>
    </Card>
  )
}

type TaskProps = { task: LeaveTask; onDone: (msg: string) => void } & Pick<LeavePage, 'call' | 'say'>

function TaskCard({ task, call, say, onDone }: TaskProps): ReactNode {
  const [opinion, setOpinion] = useState('')
  const [busy, setBusy] = useState(false)
  const [proofs, setProofs] = useState<LeaveFile['attachments']>(null)
  const look = () => void call('task', { task_id: task.task_id }).then(({ attachments }) => setProofs(attachments), (cause: unknown) => say(sentenceOf(cause)))
  const decide = async (verdict: Verdict, label: string) => {
    setBusy(true)
    const words = opinion.trim() === '' ? {} : { opinion: opinion.trim() }
    await call(verdict, { task_id: task.task_id, version: task.version, ...words }).then(() => onDone(`已${label}`), (cause: unknown) => say(sentenceOf(cause)))
    setBusy(false)
  }
  return (
    <li className="leave-task">
      <p><b>{task.user_name}{task.members > 1 ? `等${task.members}人` : ''}</b> {task.dept_name} <span className="tag">{typeName(task.person_kind, task.leave_type)}</span>{task.is_late && <span className="tag tag-warn">已超时</span>}</p>
      <p>{spanText(task)}，{task.school_days}天 {task.lessons}节</p>
      <p>{task.reason_name}：{task.reason}</p>
      {task.proofs > 0 && proofs === null && <button type="button" className="link" onClick={look}>查看证明材料（{task.proofs}个）</button>}
      <ProofPictures files={proofs} />
      <p><small>{task.apply_by_name} {timeText(task.created_at)}</small></p>
      <label className="field"><span className="hidden">意见</span><input value={opinion} maxLength={200} placeholder="意见，拒绝和退回时必填" onChange={event => setOpinion(event.target.value)} /></label>
      <div className="leave-acts">
        {verdicts.map(([verdict, label]) => <button key={verdict} type="button" className={verdict === 'pass' ? 'button button-first' : 'button'} disabled={busy} onClick={() => void decide(verdict, label)}>{label}</button>)}
      </div>
    </li>
  )
}
