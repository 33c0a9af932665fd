import { addDays } from '@campus/calendar/contract'
import { asTables, insertMany } from '@kit/server/db'
import { schoolDay } from '@campus/school/server'
import type { QueryExecutorProvider } from 'kysely'
import type { Slot } from '@campus/teaching/contract'
import { openNeeds } from '../cover/needs.ts'
import type { Db, TeachingDb } from '../db.ts'
import { setClashes } from './clash.ts'
import { hashOfSeed } from './draw.ts'
import { runDraw } from './draw.service.ts'
import { modes, seats, stored } from './state.ts'
import { requireTask } from './task.queries.ts'

type PlannedOffer = { title: string; combo?: string; course_no?: string; teacher_ids?: string[]; capacity: number; slots?: Slot[] }
/** Days of the times are counted from today; `picks`: pupil → offers in order, for a lottery his wishes. `drawn`: the draw is over. */
export type PlannedTask = {
  kind: 1 | 2 | 3; name: string; mode: 1 | 2; from: number; to: number; grades: string[]; max_pick: number; waitlist: boolean; note: string; offers: readonly PlannedOffer[]
  picks: readonly { student_id: string; offers: readonly number[] }[]; seed?: string; drawn?: true; void_reason?: string
}
type Place = { db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * Writes tasks of choosing with what pupils have chosen, and the needs that leaves in force open; for a school that has teaching and no
 * tasks.
 */
export async function createElectives({ db: handle, school_id, now }: Place, semester_id: number, by_id: string,
  plan: readonly PlannedTask[]): Promise<void> {
  const db = asTables<TeachingDb>(handle)
  for (const one of plan) await createTask(db, { school_id, now }, semester_id, by_id, one)
  await openNeeds({ db, school_id, now })
}

async function createTask(db: Db, { school_id, now }: Omit<Place, 'db'>, semester_id: number, by_id: string,
  plan: PlannedTask): Promise<void> {
  const at = (day: number) => new Date(`${addDays(schoolDay(now), day)}T12:00:00+08:00`)
  const { kind, name, mode, grades, max_pick, waitlist, note, seed = null, void_reason = null } = plan
  const committed = seed === null ? {} : { seed, seed_hash: hashOfSeed(seed), proof_code: `${school_id}-${seed.slice(0, 24)}` }
  const { id: task_id } = await db.insertInto('elective_task').values({
    school_id, kind, semester_id, name, mode, state: void_reason === null ? stored.published : stored.void, open_at: at(plan.from),
      close_at: at(plan.to), grades, max_pick, waitlist, note, void_reason, created_at: at(plan.from - 3), ...committed,
  }).returning('id').executeTakeFirstOrThrow()
  const courses = new Map((await db.selectFrom('course').select(['id', 'course_no']).where('school_id', '=', school_id).execute())
    .map(course => [course.course_no, course.id]))
  const offers: { id: string; capacity: number; taken: number; waitlisted: number }[] = []
  for (const { title, combo = null, course_no = '', teacher_ids = [], capacity, slots = [] } of plan.offers) {
    const row = { school_id, task_id, title, combo, course_id: courses.get(course_no) ?? null, teacher_ids, capacity,
      slots: JSON.stringify(slots) }
    const { id } = await db.insertInto('elective_offer').values(row).returning('id').executeTakeFirstOrThrow()
    offers.push({ id, capacity, taken: 0, waitlisted: 0 })
  }
  const rows: Seat[] = []
  for (const { student_id, offers: chosen } of plan.picks) {
    for (const [rank, nth] of chosen.entries()) {
      const offer = offers[nth]
      if (offer) rows.push(...seatOf({ school_id, task_id, student_id, offer_id: offer.id, at: at(plan.from) }, plan, offer, rank + 1))
    }
  }
  const pupils = [...Map.groupBy(rows, row => row.student_id)]
    .map(([student_id, own]) => ({ school_id, task_id, student_id, picks: own
    .filter(row => row.state === seats.has).length, submitted_at: at(plan.from) }))
  await insertMany(db, 'elective_student', pupils)
  await insertMany(db, 'elective_seat', rows)
  await insertMany(db, 'elective_event', rows
    .map(({ state, offer_id, student_id }) => ({ school_id, task_id, student_id, offer_id,
    action: state === seats.wish ? 'wish' : state === seats.has ? 'pick' : 'wait', by_id: student_id, at: at(plan.from) })))
  for (const { id, taken, waitlisted } of offers) await db.updateTable('elective_offer').set({ taken, waitlisted, wait_seq: waitlisted })
    .where('school_id', '=', school_id).where('id', '=', id).execute()
  const task = await requireTask(db, school_id, task_id)
  await setClashes(db, school_id, task)
  if (plan.drawn && seed !== null) await runDraw({ db, school_id, now, by_id }, task, seed)
}

type Own = { school_id: number; task_id: string; student_id: string; offer_id: string; at: Date }
type Seat = Own & { rank: number; state: number; wait_no: number | null }

/** A wish, a seat, a number on the waiting list, or nothing where the offer is full. */
function seatOf(own: Own, { mode, waitlist }: PlannedTask, offer: { capacity: number; taken: number; waitlisted: number }, rank: number): Seat[] {
  if (mode === modes.lottery) return [{ ...own, rank, state: seats.wish, wait_no: null }]
  if (offer.taken < offer.capacity) {
    offer.taken += 1
    return [{ ...own, rank: 0, state: seats.has, wait_no: null }]
  }
  if (!waitlist) return []
  offer.waitlisted += 1
  return [{ ...own, rank: 0, state: seats.waits, wait_no: offer.waitlisted }]
}
