import { accessErrors, accessEvents } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { publish, setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { derive } from '../grant/derive.ts'

/** The timer of a child that has not gone. */
export const pickup_kind = 'access.pickup'
/** So long a child may go after the match (access_setting pickup_release_min); together with who has come, at once (walk_sec). */
const release_ms = { 1: 10 * 60_000, 2: 60_000 } as const
const confirmed = 1
const [waits, gone, too_late, by_hand] = [1, 2, 3, 4] as const
const [student, allow, leaving, by_pickup] = [1, 1, 2, 3] as const
const open_states: readonly number[] = [waits, by_hand]

type Match = {
  student_id: string
  place_id: string
  parent_id: string | null
  mode?: 1 | 2
  pickup_id?: string | null
  by: { user_id: string; reason: string } | null
}

/**
 * Lets a child out at one gate, once, for some minutes; every other gate and minute stays shut. One that waits already is not matched
 * again. @throws Refusal 409 pickupOpen when a person lets it go twice
 */
export async function releaseChild(
  step: Step,
  { student_id, place_id, parent_id, mode = 1, pickup_id = null, by }: Match,
): Promise<{ event_id: string; release_until: Date } | null> {
  const { db, school_id, now } = step
  const open = await db
    .selectFrom('pickup_event')
    .select('event_id')
    .where('school_id', '=', school_id)
    .where('student_id', '=', student_id)
    .where('state', 'in', [...open_states])
    .where('release_until', '>', now)
    .executeTakeFirst()
  if (open && by) throw fail(accessErrors.pickupOpen)
  if (open) return null
  const release_until = new Date(now.getTime() + release_ms[mode])
  const row = {
    school_id,
    student_id,
    parent_id,
    pickup_id,
    place_id,
    matched_at: now,
    release_until,
    state: by ? by_hand : waits,
    reason: by?.reason ?? null,
    by_user: by?.user_id ?? null,
  }
  const { event_id } = await db.insertInto('pickup_event').values(row).returning('event_id').executeTakeFirstOrThrow()
  const once = { person_kind: student, effect: allow, direction: leaving, max_times: 1, source: by_pickup, reason_code: '9' }
  const right = {
    ...once,
    school_id,
    valid_from: now,
    valid_to: release_until,
    source_id: event_id,
    reason: by ? `人工放行：${by.reason}`.slice(0, 100) : '家长已核验',
    place_ids: [place_id],
    created_at: now,
    created_by: by?.user_id ?? null,
  }
  const { temporary_rule_id } = await db.insertInto('temporary_rule').values(right).returning('temporary_rule_id').executeTakeFirstOrThrow()
  await db.insertInto('temporary_rule_subject').values({ school_id, temporary_rule_id, user_id: student_id }).execute()
  await setTimer(step, { kind: pickup_kind, ref: event_id, due_at: release_until })
  await publish(step, accessEvents.pickupMatched, { student_id, place_id })
  return { event_id, release_until }
}

/** A child that is waited for; mode 2: it goes out together with who has come. */
type Ward = { user_id: string; mode: 1 | 2 }

/**
 * Children whom an adult may fetch now: live, his own or with a guardian's word, of a grade that leaves with somebody or on a leave
 * from which they are fetched.
 */
export async function wardsOf({ db, school_id, now }: Step, parent_id: string): Promise<Ward[]> {
  const today = schoolDay(now)
  const { rows } = await sql<{ user_id: string; mode: number }>`
    select s.user_id::text, case when m.mode = 2 then 2 else 1 end as mode
    from (
      select student_user_id as user_id from guardian_span where school_id = ${school_id} and parent_user_id = ${parent_id}
        and can_pickup and valid_from <= ${today}::date and (valid_to is null or valid_to > ${today}::date)
      union select student_id from pickup_person
      where school_id = ${school_id} and parent_id = ${parent_id} and confirm_state = ${confirmed}
        and valid_from <= ${today}::date and (valid_to is null or valid_to > ${today}::date)) w
    join live_student s on s.school_id = ${school_id} and s.user_id = w.user_id
    join dept_now d on d.school_id = ${school_id} and d.id = s.dept_id
    left join pickup_mode m on m.school_id = ${school_id} and m.grade = d.grade
    where m.mode > 0 or exists (select 1 from leave_span_v l where l.school_id = ${school_id} and l.user_id = s.user_id
      and l.exit_mode = 2 and l.begin_at <= ${new Date(now.getTime() + 15 * 60_000)} and l.end_at > ${now})
    order by s.user_id`.execute(db)
  return rows.map(({ user_id, mode }) => ({ user_id, mode: mode === 2 ? 2 : 1 }))
}

/** @throws Refusal 404 for somebody who is not this child's, 422 pickupUnconfirmed */
export async function requireConfirmed(
  { db, school_id, now }: Step,
  pickup_id: string,
  student_id: string,
): Promise<{ parent_id: string | null; person_name: string }> {
  const today = schoolDay(now)
  const found = await db
    .selectFrom('pickup_person')
    .select(['parent_id', 'person_name', 'confirm_state', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('pickup_id', '=', pickup_id)
    .where('student_id', '=', student_id)
    .executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  if (found.confirm_state !== confirmed || found.valid_from > today || (found.valid_to !== null && found.valid_to <= today))
    throw fail(accessErrors.pickupUnconfirmed)
  return found
}

/** A child has gone out: it is not waited for any more. */
export async function noteGone(step: Step, student_id: string, pass_key: string): Promise<void> {
  const { db, school_id } = step
  const rows = await db
    .updateTable('pickup_event')
    .set({ state: gone, out_pass_key: pass_key })
    .where('school_id', '=', school_id)
    .where('student_id', '=', student_id)
    .where('state', 'in', [...open_states])
    .returning(['place_id'])
    .execute()
  for (const { place_id } of rows) await publish(step, accessEvents.pickupReleased, { student_id, place_id })
}

/** Its minutes are over and it has not gone. */
export async function noteLate(step: Step, event_id: string): Promise<void> {
  const { db, school_id, now } = step
  const rows = await db
    .updateTable('pickup_event')
    .set({ state: too_late })
    .where('school_id', '=', school_id)
    .where('event_id', '=', event_id)
    .where('state', 'in', [...open_states])
    .where('release_until', '<=', now)
    .returning(['student_id', 'place_id'])
    .execute()
  for (const row of rows) {
    await publish(step, accessEvents.pickupTimeout, row)
    await derive(step, [row.student_id])
  }
}
