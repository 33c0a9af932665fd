import type { CorrectionRow } from '@campus/attendance/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { AttendPage } from '../page.ts'
import { requestName, stateName, timeText } from '../page.ts'

const waits = 0
const most = 50

/** 补卡与申诉: what waits for a decision, then what was decided lately. */
export function Requests({ call, say }: AttendPage): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('requests', { page_size: most }), [call]))
  if (!data) return failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />
  const waiting = data.list.filter(one => one.state === waits)
  const decided = data.list.filter(one => one.state !== waits)
  return (
    <>
      <Card
        title={`待审核 ${waiting.length}`}
        side={
          <button type="button" className="link" onClick={again}>
            刷新
          </button>
        }
      >
        {waiting.length === 0 && <p className="empty">没有待审核的申请</p>}
        <ul className="lines">
          {waiting.map(one => (
            <Request key={one.correction_id} one={one} call={call} say={say} onDecided={again} />
          ))}
        </ul>
      </Card>
      <Card title="最近处理">
        {decided.length === 0 && <p className="empty">还没有更正记录</p>}
        <ul className="lines">
          {decided.map(one => (
            <Request key={one.correction_id} one={one} call={call} say={say} onDecided={again} />
          ))}
        </ul>
      </Card>
    </>
  )
}

type RequestProps = Pick<AttendPage, 'call' | 'say'> & { one: CorrectionRow; onDecided: () => void }

function Request({ one, call, say, onDecided }: RequestProps): ReactNode {
  return (
    <li className="attend-row">
      <header>
        <b>
          {one.user_name} {one.dept_name}
        </b>
        <span className={one.state === waits ? 'tag tag-warn' : 'tag'}>{requestName(one.state)}</span>
      </header>
      <p>
        {one.lesson_date} 第{one.section}节 {one.course_name}：{stateName(one.from_state)} → {stateName(one.to_state)}
      </p>
      <p className="attend-why">
        {one.reason_text}（{one.asked_name} {timeText(one.asked_at)}）{one.opinion ? `；意见：${one.opinion}` : ''}
      </p>
      {one.may_decide && <Decision one={one} call={call} say={say} onDecided={onDecided} />}
    </li>
  )
}

function Decision({ one: { correction_id, row_version }, call, say, onDecided }: RequestProps): ReactNode {
  const [opinion, setOpinion] = useState('')
  const [busy, setBusy] = useState(false)
  const decide = async (act: 'approve' | 'reject', done: string) => {
    setBusy(true)
    try {
      await call(act, { correction_id, row_version, opinion: opinion.trim() })
      say(done)
      onDecided()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  return (
    <>
      <label className="field">
        意见（驳回必填）
        <textarea rows={1} maxLength={200} value={opinion} onChange={event => setOpinion(event.target.value)} />
      </label>
      <div className="leave-acts">
        <button type="button" className="button" disabled={busy || opinion.trim() === ''} onClick={() => void decide('reject', '已驳回')}>
          驳回
        </button>
        <button type="button" className="button button-first" disabled={busy} onClick={() => void decide('approve', '已通过')}>
          通过
        </button>
      </div>
    </>
  )
}
