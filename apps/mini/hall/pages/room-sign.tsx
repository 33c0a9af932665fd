import type { MyDuty, PresenceRow } from '@campus/exams/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

type State = 1 | 2 | 3 | 4 | 5
const names: Readonly<Record<State, string>> = { 1: '到考', 2: '迟到', 3: '缺考', 4: '违纪', 5: '提前离场' }
const choices: readonly State[] = [1, 2, 3, 4, 5]
const [main, absent] = [1, 3] as const

/** 考生签到: the candidates of my room by seat; a tap opens what to note, the list of who is missing is confirmed at the end. */
export function RoomSign({ call, say, duty, onBack }: HallPage & { duty: MyDuty; onBack: () => void }): ReactNode {
  const { session_id } = duty
  const { data, failure, again } = useLoaded(useCallback(() => call('presence', { session_id }), [call, session_id]))
  const [chosen, choose] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async (act: () => Promise<string>) => {
    setBusy(true)
    try {
      say(await act())
      choose(undefined)
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
    again()
  }
  if (!data) return failure === undefined ? <Bars rows={6} /> : <Failed msg={failure} onAgain={again} />
  const room = data.rooms.find(one => one.number === duty.room_number)
  const rows = data.rows.filter(row => row.room_id === room?.room_id)
  const is_open = room?.confirmed_at === null
  const missing = rows.filter(row => row.state === null)
  const sign = (list: readonly PresenceRow[], state: State) => run(async () => {
    await call('sign', { session_id, rows: list.map(({ user_id }) => ({ user_id, state })) })
    return list.length === 1 ? `${list[0]?.user_name ?? ''} ${names[state]}` : `已登记${list.length}人${names[state]}`
  })
  const confirm = () => run(async () => `已确认，缺考${(await call('confirmRoom', { session_id, room_id: room?.room_id ?? '' })).absent}人`)
  return (
    <>
      <button type="button" className="link" onClick={onBack}>返回我的监考</button>
      <Card title={`${duty.room_number}考场 ${duty.session_name}`} side={<small>到 {rows.filter(row => row.state !== null &&
        row.state !== absent).length}/{rows.length}</small>}>
        {rows.length === 0 && <p className="empty">这个考场没有考生</p>}
        <ul className="lines">
          {rows.map(row => (
            <Candidate key={row.user_id} row={row} is_open={is_open} chosen={chosen === row.user_id} busy={busy} choose={() =>
              choose(chosen === row.user_id ? undefined : row.user_id)} sign={state => void sign([row], state)} />
          ))}
        </ul>
        {!is_open && room && <p className="empty">缺考名单已由{room.confirmed_by}确认</p>}
        {is_open && (
          <Acts
            is_main={duty.role === main} may_confirm={data.may_confirm} busy={busy} rows={rows}
            sign={() => void sign(missing, 1)} confirm={() => void confirm()}
          />
        )}
      </Card>
    </>
  )
}

type ActsProps = { is_main: boolean; may_confirm: boolean; busy: boolean; rows: readonly PresenceRow[]; sign: () => void; confirm: () =>
  void }

/** Everybody else is there; then the first invigilator confirms who is not. */
function Acts({ is_main, may_confirm, busy, rows, sign, confirm }: ActsProps): ReactNode {
  const open = rows.filter(row => row.state === null).length
  const gone = open + rows.filter(row => row.state === absent).length
  return (
    <>
      <div className="leave-acts">
        <button type="button" className="button" disabled={busy || open === 0} onClick={sign}>其余{open}人到考</button>
        {is_main && <button type="button" className="button button-first" disabled={busy ||
          !may_confirm} onClick={confirm}>确认缺考 {gone}人</button>}
      </div>
      {!may_confirm && <p className="empty">开考15分钟后由主监考确认缺考名单</p>}
    </>
  )
}

type CandidateProps = { row: PresenceRow; is_open: boolean; chosen: boolean; busy: boolean; choose: () => void; sign: (state: State) =>
  void }

function Candidate({ row, is_open, chosen, busy, choose, sign }: CandidateProps): ReactNode {
  return (
    <li>
      <button type="button" className="line" disabled={!is_open} aria-expanded={chosen} onClick={choose}>
        <span className="face" aria-hidden>{row.seat}</span>
        <span className="words"><b>{row.user_name}</b><small>{row.dept_name} {row.exam_no ?? ''}</small></span>
        <span className={row.state === null || row.state === absent ? 'tag tag-warn' : 'tag'}>{stateName(row.state)}</span>
      </button>
      {chosen && (
        <div className="leave-choice"><div className="choice" role="group" aria-label={`登记 ${row.user_name}`}>
          {choices.map(state => <button key={state} type="button" disabled={busy} onClick={() => sign(state)}>{names[state]}</button>)}
        </div></div>
      )}
    </li>
  )
}

function stateName(state: number | null): string {
  const known = choices.find(one => one === state)
  return known === undefined ? '未签到' : names[known]
}
