import type { LeaveFile } from '@campus/leave/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { LeavePage } from '../page.ts'
import { Change } from './change.tsx'
import { ProofPictures } from './proofs.tsx'
import { effectName, spanText, stateName, timeText, typeName } from '../words.ts'

const warn: readonly number[] = [0, 3, 8]

/** 我的请假: mine and my children's, the latest first; one opens in its place. */
export function Mine(page: LeavePage): ReactNode {
  const { call } = page
  const [opened, open] = useState<string>()
  const { data, failure, again } = useLoaded(useCallback(() => call('mine', {}), [call]))
  const changed = () => {
    open(undefined)
    again()
  }
  if (opened !== undefined) return <Detail {...page} leave_id={opened} onBack={changed} />
  return (
    <Card title="我的请假">
      {failure !== undefined && !data && <Failed msg={failure} onAgain={again} />}
      {!data && failure === undefined && <Bars rows={4} />}
      {data?.list.length === 0 && <p className="empty">还没有请假记录</p>}
      <ul className="lines">
        {data?.list.map(one => (
          <li key={`${one.leave_id}-${one.user_id}`}>
            <button type="button" className="line" onClick={() => open(one.leave_id)}>
              <span className="words"><b>{one.user_name} {typeName(one.person_kind, one.leave_type)}（{one.reason_name}）</b><small>{spanText(one)} {one.school_days}天</small></span>
              <span className={warn.includes(one.state) ? 'tag tag-warn' : 'tag'}>{one.changing ? '变更中' : stateName(one.state)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** One leave: how far it has come, what followed, and what may still be done. */
function Detail({ call, say, leave_id, onBack }: LeavePage & { leave_id: string; onBack: () => void }): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('read', { leave_id }), [call, leave_id]))
  const run = async (act: () => Promise<unknown>, done: string) => {
    try {
      await act()
      say(done)
      onBack()
    } catch (cause) {
      say(sentenceOf(cause))
    }
  }
  if (!data) return failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />
  return (
    <Card title={`请假单 ${data.leave_no}`} side={<button type="button" className="link" onClick={onBack}>返回</button>}>
      <Facts file={data} />
      <ProofPictures files={data.attachments} />
      <Progress file={data} />
      {data.allowed.includes('change') && <Change call={call} say={say} file={data} onSent={onBack} />}
      <div className="leave-acts">
        {data.allowed.includes('withdraw') && <button type="button" className="button" onClick={() => void run(() => call('withdraw', { leave_id }), '已撤回')}>撤回</button>}
        {data.allowed.includes('cancel') && <button type="button" className="button" onClick={() => void run(() => call('cancel', { leave_id }), '已取消')}>取消请假</button>}
        {data.allowed.includes('end_early') && <button type="button" className="button" onClick={() => void run(() => call('endEarly', { leave_id, end: new Date(Date.now() + 60_000).toISOString() }), '已提前结束')}>现在结束</button>}
      </div>
    </Card>
  )
}

function Facts({ file }: { file: LeaveFile }): ReactNode {
  const [first] = file.members
  const lines = [['请假人', first?.user_name ?? ''], ['状态', stateName(file.state)], ['假别', `${typeName(file.person_kind, file.leave_type)}（${file.reason_name}）`], ['时间', first?.spans.map(span => spanText(span)).join('；') ?? ''], ['事由', file.reason ?? '']] as const
  return <dl className="facts">{lines.map(([label, text]) => <div key={label}><dt>{label}</dt><dd>{text}</dd></div>)}</dl>
}

function Progress({ file }: { file: LeaveFile }): ReactNode {
  return (
    <ul className="lines">
      {file.tasks.map(task => <li key={task.task_id} className="line"><span className="words"><b>{task.user_name}</b><small>{task.done_at === null ? '等待审批' : `${timeText(task.done_at)} ${task.opinion ?? ''}`}</small></span><span className="tag">{task.state === 0 ? '待审批' : task.state === 2 ? '同意' : task.state === 3 ? '拒绝' : '已处理'}</span></li>)}
      {file.effects.map(one => <li key={one.effect} className="line"><span className="words"><b>{one.title}</b><small>{one.text}</small></span><span className="tag">{effectName(one.state)}</span></li>)}
    </ul>
  )
}
