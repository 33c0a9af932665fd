import { calendarEvents } from '@campus/calendar/contract'
import { devicesEvents } from '@campus/devices/contract'
import { peopleEvents } from '@campus/people/contract'
import { placesEvents } from '@campus/places/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { App, EventDesk } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { raiseMissing } from '../abnormal/raise.ts'
import type { AccessDb, Step } from '../db.ts'
import { derive, roll_kind } from './derive.ts'

type Handle = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

const stepOf = ({ app, db, school_id, now }: Handle): Step => ({ app, db: asTables<AccessDb>(db), school_id, now })

/** Whether a school has rules, or devices still have rights that came from some. */
async function hasRules({ db, school_id }: Step): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select (exists (select 1 from access_rule where school_id = ${school_id}) or exists (select 1 from temporary_rule where school_id = ${school_id})
    or exists (select 1 from access_grant where school_id = ${school_id})) as has`.execute(db)
  return rows[0]?.has === true
}

/** Rights of these people, and of the guardians whose rights come from them. */
async function follow(desk: EventDesk, user_ids: readonly string[] | null): Promise<void> {
  const step = stepOf(desk)
  if (!(await hasRules(step))) return
  if (user_ids === null) return void (await derive(step, null))
  const guardians = await step.db.selectFrom('guardian_span').select('parent_user_id').where('school_id', '=', step.school_id).where(sql<boolean>`student_user_id = any(${[...user_ids]}::bigint[])`).execute()
  await derive(step, [...new Set([...user_ids, ...guardians.map(row => row.parent_user_id)])])
}

const { personCreated, personDeparted, personMoved, personPurged, personRestored, personSuspended, studyMethodChanged, guardianChanged, tagChanged, deptChanged, deptPromoted } = peopleEvents
const of_people = [personCreated, personDeparted, personPurged, personRestored, personSuspended, studyMethodChanged, guardianChanged, tagChanged] as const
const of_school = [deptChanged, deptPromoted, calendarEvents.changed, devicesEvents.placed, devicesEvents.directionChanged, placesEvents.placeMoved, placesEvents.placeClosed].map(one => one.name)

/** What happens to people, places, devices and the calendar changes rights (chapter 35 R15). */
export const grantConsumers = [
  ...of_people.map(one => consume(`access.rights.${one.name}`, one.name, personCreated.payload.pick({ user_ids: true }), (desk, { user_ids }) => follow(desk, user_ids))),
  consume('access.rights.person_moved', personMoved.name, personMoved.payload.pick({ people: true }), (desk, { people }) => follow(desk, people.map(person => person.user_id))),
  ...of_school.map(name => consume(`access.rights.${name}`, name, z.object({}), desk => follow(desk, null))),
  consume('access.rights.pass', devicesEvents.passRecorded.name, devicesEvents.passRecorded.payload, (desk, key) => useUp(desk, key)),
]

/** A pass may have used up a one-off right: the other doors forget it (R14). */
async function useUp(desk: EventDesk, key: { event_date: string; device_id: string; device_seq: string }): Promise<void> {
  const step = stepOf(desk)
  const { rows } = await sql<{ user_id: string }>`
    select e.user_id::text from pass_event_v e join temporary_rule_subject s on s.school_id = ${step.school_id} and s.user_id = e.user_id
    join temporary_rule t on t.school_id = ${step.school_id} and t.temporary_rule_id = s.temporary_rule_id and t.max_times is not null and t.valid_to > ${step.now}
    where e.school_id = ${step.school_id} and e.event_date = ${key.event_date}::date and e.device_id = ${key.device_id} and e.device_seq = ${key.device_seq} and e.pass_state = 1 limit 1`.execute(step.db)
  if (rows[0]) await derive(step, [rows[0].user_id])
}

/** Every night: what begins and ends by the calendar, and another month when one turns (R23). */
export const rollTimer: TimerKind = {
  kind: roll_kind,
  async run(db, due) {
    const step = stepOf({ ...due, db })
    await derive(step, null)
    await raiseMissing(step)
  },
}
