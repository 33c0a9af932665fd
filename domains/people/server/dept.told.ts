import { peopleEvents } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'
import { schoolDay } from './day.ts'
import type { PeopleDb } from './db.ts'
import { tellPeople } from './told.ts'

/** Tells that departments are new or other than before, they and what stands below them. A day to come is told on that day. */
export async function tellDepts(from: Publisher, dept_ids: readonly string[], on: string): Promise<void> {
  if (dept_ids.length > 0 && on <= schoolDay(from.now)) await publish(from, peopleEvents.deptChanged, { dept_ids: [...dept_ids] })
}

/** Tells that a department has closed; a day to come is told on that day. */
export async function tellClosed(from: Publisher, dept_id: string, on: string): Promise<void> {
  if (on <= schoolDay(from.now)) await publish(from, peopleEvents.deptClosed, { dept_ids: [dept_id], on })
}

/** Tells who got or lost a duty; a day to come is told on that day. */
export async function tellDuties(from: Publisher, user_ids: readonly string[], on: string): Promise<void> {
  if (on <= schoolDay(from.now)) await tellPeople(from, peopleEvents.dutyChanged, user_ids)
}

/** What came true of departments and duties by its date alone, from the day `first` until today. */
export async function tellDated(from: Publisher, first: string): Promise<void> {
  const { school_id } = from
  const db = asTables<PeopleDb>(from.db)
  const today = schoolDay(from.now)
  const turned = sql<boolean>`(valid_from between ${first}::date and ${today}::date or valid_to between ${first}::date and ${today}::date)`
  const closed = await db.selectFrom('dept').select(['id', 'closed_on']).where('school_id', '=', school_id).where('closed_on', '>=', first).where('closed_on', '<=', today).execute()
  const others = await db.selectFrom('dept_version').select('dept_id').distinct().where('school_id', '=', school_id).where('valid_from', '>=', first).where('valid_from', '<=', today).execute()
  const duties = await db.selectFrom('dept_duty').select('user_id').distinct().where('school_id', '=', school_id).where(turned).execute()
  await tellDepts(from, others.map(version => version.dept_id), today)
  for (const { id, closed_on } of closed) await tellClosed(from, id, closed_on ?? today)
  await tellPeople(from, peopleEvents.dutyChanged, duties.map(duty => duty.user_id))
}
