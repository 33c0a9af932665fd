import { insertMany } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { allShards, shardsOf } from './people.ts'

/** Why a unit is judged again: the causes of attend_change. */
export type Cause = 'late_event' | 'leave' | 'timetable' | 'rule' | 'calendar' | 'correction' | 'membership' | 'exam' | 'void' | 'autochange' | 'engine'
export type Marked = { date: string; shard: string }

export const unit_timer = 'attend.unit'
/** Bursts of events are judged once (chapter 55 §3.16). */
const coalesce_ms = 1000
/** Marking reaches so many days at most; older ones are judged by a run that somebody starts. */
const most_days = 400

/** Marks units to be judged again, each soon and once however often it is marked. */
export async function markUnits(
  { app, db, school_id, now }: Step, units: readonly Marked[], cause: Cause, ref: string | null = null,
): Promise<void> {
  const once = [...new Map(units.map(unit => [`${unit.date}/${unit.shard}`, unit])).values()].toSorted((a, b) => (`${a.date}/${a.shard}` < `${b.date}/${b.shard}` ? -1 : 1))
  if (once.length === 0) return
  const rows = once.map(({ date, shard }) => ({ school_id, lesson_date: date, shard, dirty: true, dirty_cause: cause, dirty_ref: ref }))
  await insertMany(db, 'attend_unit', rows, { columns: ['school_id', 'lesson_date', 'shard'], set: ['dirty', 'dirty_cause', 'dirty_ref'] })
  const due_at = new Date(now.getTime() + coalesce_ms)
  for (const { date, shard } of once) await setTimer({ app, db, school_id }, { kind: unit_timer, ref: `${date}/${shard}`, due_at })
}

/** Marks the units of people on a date. */
export async function markPeople(
  step: Step, date: string, user_ids: readonly string[], cause: Cause, ref: string | null = null,
): Promise<void> {
  const shards = await shardsOf(step.db, step.school_id, date, user_ids)
  await markUnits(step, shards.map(shard => ({ date, shard })), cause, ref)
}

/** Marks every unit that was ever judged from one day to another (both included). */
export async function markDays(
  { app, db, school_id, now }: Step, from: string, to: string, cause: Cause, ref: string | null = null,
): Promise<void> {
  const known = await db.selectFrom('attend_unit').select(['lesson_date', 'shard']).where('school_id', '=', school_id)
    .where('lesson_date', '>=', from).where('lesson_date', '<=', to).limit(most_days * 20).execute()
  await markUnits({ app, db, school_id, now }, known.map(({ lesson_date, shard }) => ({ date: lesson_date, shard })), cause, ref)
}

/** Opens the units of a date: every grade with classes, and staff. Those that are there stay as they are. */
export async function openUnits({ app, db, school_id, now }: Step, date: string): Promise<void> {
  const shards = await allShards(db, school_id, date)
  const known = new Set((await db.selectFrom('attend_unit').select('shard').where('school_id', '=', school_id).where('lesson_date', '=', date).execute()).map(row => row.shard))
  await markUnits({ app, db, school_id, now }, shards.filter(shard => !known.has(shard)).map(shard => ({ date, shard })), 'engine')
}

/** Whether attendance is in use: a school without an enabled arrange has no units. */
export async function isInUse({ db, school_id }: Pick<Step, 'db' | 'school_id'>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (select 1 from attend_arrange where school_id = ${school_id} and enabled) as is`.execute(db)
  return rows[0]?.is === true
}
