import type { RollCall, RollPupil } from '@campus/attendance/contract'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Card } from '../../shell/parts.tsx'
import { hourText, stateName, timeText } from '../page.ts'
import type { Claim } from '../roll-queue.ts'
import type { RollBox } from '../use-rolls.ts'

const claims: readonly [Claim, string][] = [
  ['present', '到'],
  ['late', '迟到'],
  ['absent', '缺勤'],
  ['left', '早退'],
]

type Props = { roll: RollCall; rolls: RollBox; onBack: () => void }

/** The roll of one lesson, filled from what devices saw; handed in at once, or kept until there is a line. */
export function RollForm({ roll, rolls, onBack }: Props): ReactNode {
  const { claimOf, mark, all, count } = useSaid(roll, rolls)
  const [busy, setBusy] = useState(false)
  const [asked, ask] = useState(false)
  const is_all_absent = roll.pupils.length > 0 && count('absent') === roll.pupils.length
  const hand = async () => {
    if (is_all_absent && !asked) return ask(true)
    setBusy(true)
    const rows = roll.pupils.map(one => ({ user_id: one.user_id, claim: claimOf(one) }))
    const { lesson_day_id, title, class_name, version } = roll
    const handed = { lesson_day_id, title, class_name, version, rows, confirm_all: is_all_absent }
    await rolls.hand({ ...handed, taken_at: new Date().toISOString(), refusal: null })
    setBusy(false)
    onBack()
  }
  return (
    <Card
      title={`${roll.title} ${roll.class_name}`}
      side={
        <button type="button" className="link" onClick={onBack}>
          返回
        </button>
      }
    >
      <p className="attend-why">
        {hourText(roll.begin)}–{hourText(roll.end)} {roll.place_name}，应到{roll.pupils.length}人
        {roll.taken_at !== null &&
          roll.state === 'submitted' &&
          `；${roll.taken_by_name ?? ''}已于${timeText(roll.taken_at)}提交，再次提交以本次为准`}
      </p>
      {roll.pupils.length === 0 && <p className="empty">名单为空，请联系教务</p>}
      <ul className="lines">
        {roll.pupils.map(one => (
          <Pupil key={one.user_id} one={one} claim={claimOf(one)} onMark={claim => mark(one.user_id, claim)} />
        ))}
      </ul>
      {asked && <p role="alert">全班都标为缺勤，请先确认上课地点没有变更，再次点击提交。</p>}
      <div className="attend-bar">
        <button type="button" className="button" onClick={all}>
          全部到齐
        </button>
        <button type="button" className="button button-first" disabled={busy || roll.pupils.length === 0} onClick={() => void hand()}>
          提交（到{count('present') + count('left')} 迟{count('late')} 缺{count('absent')}）
        </button>
      </div>
    </Card>
  )
}

/** What is said of each pupil: what this phone still keeps goes before what the server proposes. */
function useSaid(roll: RollCall, rolls: RollBox) {
  const kept = rolls.queue.find(one => one.lesson_day_id === roll.lesson_day_id && one.refusal === null)
  const [said, setSaid] = useState<ReadonlyMap<string, Claim>>(() => {
    const before = new Map(kept?.rows.map(row => [row.user_id, row.claim]))
    return new Map(roll.pupils.map(one => [one.user_id, before.get(one.user_id) ?? one.claim]))
  })
  const claimOf = (one: RollPupil): Claim => said.get(one.user_id) ?? one.claim
  const mark = (user_id: string, claim: Claim) => setSaid(new Map([...said, [user_id, claim]]))
  const all = () => setSaid(new Map(roll.pupils.map(one => [one.user_id, one.leave ? 'absent' : 'present'])))
  const count = (claim: Claim) => roll.pupils.filter(one => claimOf(one) === claim).length
  return { claimOf, mark, all, count }
}

function Pupil({ one, claim, onMark }: { one: RollPupil; claim: Claim; onMark: (claim: Claim) => void }): ReactNode {
  const seen = one.in_at === null ? (one.in_school ? '在校，未打卡' : stateName(one.state)) : `${hourText(one.in_at)}打卡`
  return (
    <li className="attend-line">
      <span className="words">
        <b>{one.user_name}</b>
        <small>{one.leave ? '请假' : seen}</small>
      </span>
      <span className="attend-claims" role="group" aria-label={one.user_name}>
        {claims.map(([key, name]) => (
          <button key={key} type="button" data-claim={key} aria-pressed={claim === key} onClick={() => onMark(key)}>
            {name}
          </button>
        ))}
      </span>
    </li>
  )
}
