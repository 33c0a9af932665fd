import type { MyDuty } from '@campus/exams/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'
import { RoomSign } from './room-sign.tsx'

const roles: Readonly<Record<number, string>> = { 1: '主监考', 2: '副监考' }
const swap_words: Readonly<Record<number, string>> = { 0: '待对方确认', 1: '待教务审批' }
const least_words = 2
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })
const timeText = (instant: string): string => clock.format(new Date(instant)).slice(5)

/** 我的监考: my posts with signing in of my room and a swap, and what others ask me to take. */
export function Duties(page: HallPage): ReactNode {
  const { call, go, say } = page
  const [opened, open] = useState<MyDuty>()
  const [swapping, swap] = useState<MyDuty>()
  const { data, failure, again } = useLoaded(useCallback(() => call('duties', {}), [call]))
  const act = async (run: () => Promise<unknown>, done: string) => {
    try {
      await run()
      say(done)
    } catch (cause) {
      say(sentenceOf(cause))
    }
    again()
  }
  if (opened) return <RoomSign {...page} duty={opened} onBack={() => open(undefined)} />
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  return (
    <>
      <button type="button" className="link" onClick={() => go('mine')}>返回我的</button>
      {data.asked.map(one => (
        <Card key={one.swap_id} title={`${one.from_name}请您代为监考`}>
          <p>{timeText(one.begin_at)} {one.exam_name} {one.session_name} {one.room}。{one.reason}</p>
          <div className="leave-acts">
            <button type="button" className="button" onClick={() => void act(() => call('acceptSwap', { swap_id: one.swap_id,
              agreed: false }), '已拒绝')}>拒绝</button>
            <button type="button" className="button button-first" onClick={() => void act(() => call('acceptSwap', { swap_id: one.swap_id,
              agreed: true }), '已同意，等待教务审批')}>同意</button>
          </div>
        </Card>
      ))}
      {data.duties.length === 0 && <Card title="我的监考"><p className="empty">近期没有监考安排</p></Card>}
      {data.duties.map(duty => (
        <Card key={duty.session_id} title={`${timeText(duty.begin_at)} ${duty.session_name}`} side={<small>{roles[duty.role]}</small>}>
          <p>{duty.exam_name}　{duty.room_number}考场 {duty.place_name}</p>
          {duty.swap && <p>已请{duty.swap.to_name}换班，{swap_words[duty.swap.state]}</p>}
          <div className="leave-acts">
            {duty.swap
              ? <button type="button" className="button" onClick={() => void act(() => call('withdrawSwap',
                { swap_id: duty.swap?.swap_id ?? '' }), '已撤销')}>撤销换班</button>
              : duty.may_swap && <button type="button" className="button" onClick={() => swap(duty)}>换班</button>}
            <button type="button" className="button button-first" onClick={() => open(duty)}>考生签到</button>
          </div>
          {swapping?.session_id === duty.session_id && <Swap {...page} duty={duty} onDone={() => { swap(undefined); again() }} />}
        </Card>
      ))}
    </>
  )
}

/** Asks one of those who could take the post. */
function Swap({ call, say, duty: { session_id }, onDone }: HallPage & { duty: MyDuty; onDone: () => void }): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('fitting', { session_id }), [call, session_id]))
  const [to_user_id, choose] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  if (!data) return failure === undefined ? <Bars rows={2} /> : <Failed msg={failure} onAgain={again} />
  const ask = async () => {
    setBusy(true)
    try {
      await call('askSwap', { session_id, to_user_id, reason: reason.trim() })
      say('已发出，等待对方确认')
      onDone()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  if (data.list.length === 0) return <p className="empty">没有可以换班的教师，请联系教务处</p>
  return (
    <div className="leave-form">
      <label className="field">
        换给
        <select value={to_user_id} onChange={event => choose(event.target.value)}>
          <option value="">请选择教师</option>
          {data.list.map(one => <option key={one.user_id} value={one.user_id}>{one.user_name}</option>)}
        </select>
      </label>
      <label className="field">
        原因
        <input value={reason} maxLength={200} placeholder="对方和教务处会看到，至少2个字" onChange={event => setReason(event.target.value)} />
      </label>
      <div className="consent-answers">
        <button type="button" className="button" disabled={busy} onClick={onDone}>取消</button>
        <button type="button" className="button button-first" disabled={busy || to_user_id === '' ||
          reason.trim().length < least_words} onClick={() => void ask()}>发出申请</button>
      </div>
    </div>
  )
}
