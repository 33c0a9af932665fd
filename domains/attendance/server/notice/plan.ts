import { attend_states as states } from '@campus/attendance/contract'
import { schoolDay } from '@campus/school/server'
import { insertMany } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { minute_ms, zone_ms } from '../judge/window.ts'
import { dayAfter } from '../recompute/group.ts'
import type { Judged } from '../recompute/rows.ts'
import { readSetting } from '../rule/setting.service.ts'
import { afterQuiet } from './quiet.ts'

export const notice_timer = 'attend.notice'
type Kind = 'absent' | 'late' | 'corrected'
type Known = { user_id: string; expect_kind: number; occurrence_id: string; kind: string; sent: boolean; dropped: boolean }
const [pupil, noon_hour] = [1, 12] as const

/**
 * Plans what families are to be told after a unit was judged (chapter 55 §3.13): an absence or a lateness of today or yesterday that no
 * device can change any more, once a case; and a correction where they were told something that does not hold any longer. A row that is
 * 待核实 or still open is never told.
 */
export async function planNotices(step: Step, date: string, judged: readonly Judged[]): Promise<void> {
  const { db, school_id, now } = step
  const pupils = judged.filter(one => one.row.person_kind === pupil)
  const known = await readKnown(step, date, pupils)
  if (dayAfter(date) < schoolDay(now) && known.size === 0) return
  const { quiet_from, quiet_to } = await readSetting(db, school_id)
  const planned = pupils.flatMap(one => {
    const kind = kindOf(one, now, date, known)
    if (kind === null) return []
    const earliest =
      one.notify === null || kind === 'corrected'
        ? now.getTime()
        : Math.max(now.getTime(), one.notify.from + one.notify.delay_min * minute_ms)
    const { user_id, expect_kind, occurrence_id } = one.row
    const half = new Date(one.of.begin + zone_ms).getUTCHours() < noon_hour ? 'am' : 'pm'
    const due_at = afterQuiet(new Date(earliest), quiet_from, quiet_to)
    return [
      {
        school_id,
        lesson_date: date,
        user_id,
        expect_kind,
        occurrence_id,
        kind,
        half,
        title: one.of.title.slice(0, 60),
        due_at,
        dropped_at: null,
      },
    ]
  })
  if (planned.length === 0) return
  const key = ['school_id', 'lesson_date', 'user_id', 'expect_kind', 'occurrence_id', 'kind']
  await insertMany(db, 'attend_notice', planned, { columns: key, set: ['due_at', 'dropped_at'] })
  for (const due_at of new Map(planned.map(one => [one.due_at.getTime(), one.due_at])).values()) {
    await setTimer(step, { kind: notice_timer, ref: `${date}/${due_at.toISOString()}`, due_at })
  }
}

/** What the family of a pupil has to hear of a row now; null: nothing, or it stands in the plan already. */
function kindOf(one: Judged, now: Date, date: string, known: ReadonlyMap<string, Known>): Kind | null {
  const { row, notify } = one
  const told = (kind: Kind) => known.get(noticeKey(row, kind))
  const isSettledAs = (state: number) => row.state === state && !row.provisional
  const is_absent = isSettledAs(states.absent)
  if (told('absent')?.sent === true && !is_absent && !row.provisional && row.state !== states.unverified)
    return told('corrected') ? null : 'corrected'
  if (dayAfter(date) < schoolDay(now) || notify === null) return null
  const kind = is_absent && notify.absent ? 'absent' : isSettledAs(states.late) && notify.late ? 'late' : null
  if (kind === null) return null
  const before = told(kind)
  return before === undefined || (before.dropped && !before.sent) ? kind : null
}

function noticeKey({ user_id, expect_kind, occurrence_id }: Omit<Known, 'kind' | 'sent' | 'dropped'>, kind: string): string {
  return `${user_id}/${expect_kind}/${occurrence_id}/${kind}`
}

async function readKnown({ db, school_id }: Step, date: string, pupils: readonly Judged[]): Promise<ReadonlyMap<string, Known>> {
  const user_ids = [...new Set(pupils.map(one => one.row.user_id))]
  const { rows } = await sql<Known>`
    select n.user_id::text as user_id, n.expect_kind::int as expect_kind, n.occurrence_id::text as occurrence_id, n.kind,
      n.sent_at is not null as sent, n.dropped_at is not null as dropped
    from attend_notice n
    where n.school_id = ${school_id} and n.lesson_date = ${date}::date and n.user_id = any(${user_ids}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(row => [noticeKey(row, row.kind), row]))
}
