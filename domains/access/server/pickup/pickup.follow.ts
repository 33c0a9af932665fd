import { accessEvents } from '@campus/access/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import type { AccessDb, Step } from '../db.ts'
import { derive } from '../grant/derive.ts'
import { noteGone, noteLate, pickup_kind, releaseChild, wardsOf } from './pickup.core.ts'

const [student, parent, leaving] = [1, 3, 2] as const
type Passed = { subject_kind: number; subject_id: string; place_id: string; direction: number; pass_key: string }

/** A guardian's pass at a gate lets all of his children out there; a child's own pass out ends the wait. What came late moves nobody. */
async function followPasses(step: Step, { from_seq, to_seq }: { from_seq: string; to_seq: string }): Promise<void> {
  const { db, school_id } = step
  const { rows } = await sql<Passed>`
    select p.subject_kind::int, p.subject_id::text, p.place_id::text, p.direction::int,
      p.event_date::text || '/' || p.device_id || '/' || p.device_seq as pass_key from access_pass p
    where p.school_id = ${school_id} and p.ingest_seq >= ${from_seq} and p.ingest_seq <= ${to_seq} and p.result = 1
      and p.is_perimeter and not p.is_late and p.place_id is not null
      and (p.subject_kind = ${parent} or (p.subject_kind = ${student} and p.direction = ${leaving}))
        order by p.event_time, p.device_id, p.device_seq`.execute(
    db,
  )
  for (const { subject_kind, subject_id, place_id, pass_key } of rows) {
    if (subject_kind === student) {
      await noteGone(step, subject_id, pass_key)
      continue
    }
    const wards = await wardsOf(step, subject_id)
    for (const { user_id: student_id, mode } of wards)
      await releaseChild(step, { student_id, place_id, parent_id: subject_id, mode, by: null })
    if (wards.length > 0)
      await derive(
        step,
        wards.map(one => one.user_id),
      )
  }
}

export const pickupConsumers = [
  consume('access.follow_pickups', accessEvents.passRecorded.name, accessEvents.passRecorded.payload, ({ app, db, school_id, now }, span) =>
    followPasses({ app, db: asTables<AccessDb>(db), school_id, now }, span),
  ),
]

/** A child that was released and has not gone. */
export const pickupTimer: TimerKind = {
  kind: pickup_kind,
  run: (db, { app, school_id, now, ref }) => noteLate({ app, db: asTables<AccessDb>(db), school_id, now }, ref),
}
