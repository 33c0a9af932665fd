import { accessEvents } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { insertMany } from '@kit/server/db'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { findAbnormals } from './find.ts'
import type { Found, Seen } from './find.ts'

const most_evidence = 20
const [open, no_exit, no_entry, day_ms] = [0, 3, 4, 86_400_000] as const
const keyOf = ({ kind, subject_key, window_start }: Pick<Found, 'kind' | 'subject_key' | 'window_start'>) =>
  `${kind} ${subject_key} ${window_start.toISOString()}`

/**
 * Puts findings into the queue; one that waits there gets what is new as evidence, one that was dealt with stays as it is. @returns how
 * many are new
 */
export async function raiseAbnormals(step: Step, found: readonly Found[], is_past = false): Promise<number> {
  const { db, school_id, now } = step
  if (found.length === 0) return 0
  const windows = found.map(one => one.window_start.getTime())
  const known = await db
    .selectFrom('access_abnormal')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('window_start', '>=', new Date(Math.min(...windows)))
    .where('window_start', '<=', new Date(Math.max(...windows)))
    .where(sql<boolean>`subject_key = any(${[...new Set(found.map(one => one.subject_key))]}::text[])`)
    .execute()
  const before = new Map(known.map(row => [keyOf(row), row]))
  const changed = found.filter(one => {
    const row = before.get(keyOf(one))
    return (
      row === undefined ||
      (row.state === open && row.evidence.length < most_evidence && one.evidence.some(key => !row.evidence.includes(key)))
    )
  })
  if (changed.length === 0) return 0
  const values = changed.map(one => ({
    ...one,
    school_id,
    raised_at: before.get(keyOf(one))?.raised_at ?? now,
    evidence: [...new Set([...(before.get(keyOf(one))?.evidence ?? []), ...one.evidence])].slice(0, most_evidence),
  }))
  await insertMany(db, 'access_abnormal', values, {
    columns: ['school_id', 'kind', 'subject_key', 'window_start'],
    set: ['evidence', 'detail', 'place_id'],
  })
  const fresh = changed.filter(one => !before.has(keyOf(one)))
  if (is_past) return fresh.length
  await publishEach(
    step,
    accessEvents.abnormalRaised,
    fresh.map(({ kind, subject_kind, subject_id, place_id, severity }) => ({ kind, subject_kind, subject_id, place_id, severity })),
  )
  return fresh.length
}

/** Of the day before: day pupils and staff whose exit or entry nobody saw (R35); boarders stay in by their bed. */
export async function raiseMissing(step: Step): Promise<void> {
  const { db, school_id, now } = step
  const date = schoolDay(new Date(now.getTime() - day_ms))
  const { rows } = await sql<{ subject_kind: number; subject_id: string; dept_id: string | null; flags: number }>`
    select y.subject_kind::int, y.subject_id::text, y.dept_id::text, y.flags from access_user_day y
    left join live_student s on s.school_id = ${school_id} and s.user_id = y.subject_id
    where y.school_id = ${school_id} and y.date = ${date}::date and y.subject_kind = 1 and y.flags & 3 > 0
      and coalesce(s.study_method, '1') = '1'`.execute(db)
  const window_start = new Date(`${date}T00:00:00+08:00`)
  const found = rows.flatMap(({ flags, subject_kind, subject_id, dept_id }) =>
    (
      [
        [1, no_exit],
        [2, no_entry],
      ] as const
    )
      .filter(([bit]) => (flags & bit) > 0)
      .map(([, kind]): Found => ({
        kind,
        subject_key: `${subject_kind}/${subject_id}`,
        subject_kind,
        subject_id,
        dept_id,
        place_id: null,
        window_start,
        severity: 1,
        evidence: [],
        detail: null,
      })),
  )
  await raiseAbnormals(step, found)
}

/** Of a day that was, for a school that is made with a past: its passes are looked at, not judged. */
export async function raisePast(step: Step, day: string): Promise<number> {
  const { db, school_id } = step
  const { rows } = await sql<Omit<Seen, 'detail'>>`
    select p.event_date::text || '/' || p.device_id || '/' || p.device_seq as key, p.subject_kind::int, p.subject_id::text, p.dept_id::text,
      p.place_id::text, p.device_id::text, p.direction::int, p.result::int, p.judge::int, p.event_time as at, p.is_perimeter
    from access_pass p where p.school_id = ${school_id} and p.event_date = ${day}::date and p.event_time is not null
      and not p.is_repeat`.execute(
    db,
  )
  return raiseAbnormals(step, findAbnormals(rows.map(row => ({ ...row, detail: null }))), true)
}
