import { electiveErrors, teachingTemplates } from '@campus/teaching/contract'
import type { choiceApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { notifyPupils } from './notify.ts'
import { countQuotas, homeLesson, lockQuotas } from './quota.ts'
import { joinRoster, leaveRoster } from './roster.ts'
import { seats } from './state.ts'
import type { Task } from './task.queries.ts'

export type SeatState = Reply<typeof choiceApi.pick>
/** A pupil as choosing needs him. */
export type Pupil = { user_id: string; user_name: string; student_no: string; dept_id: string; grade: string | null; sex: string }
/** Who does it; a reason makes it an act of the school. */
type Act = { task: Task; offer_id: string; pupil: Pick<Pupil, 'user_id'>; reason?: string }
type Held = { offer_id: string; state: number; title: string; clashes: string[]; group_no: number | null }
type Place = Pick<TeachingCtx, 'app' | 'db' | 'school_id' | 'now' | 'me'>

/** The row that is locked while a pupil chooses: one choice of a pupil at a time (chapter 50 rule 34). */
async function lockPupils({ db, school_id }: Pick<Place, 'db' | 'school_id'>, task_id: string,
  student_ids: readonly string[]): Promise<void> {
  for (const student_id of [...new Set(student_ids)].toSorted((a, b) => Number(a) - Number(b))) {
    await db.insertInto('elective_student').values({ school_id, task_id, student_id })
      .onConflict(on => on.columns(['school_id', 'task_id', 'student_id']).doNothing()).execute()
    await db.selectFrom('elective_student').select('picks').where('school_id', '=', school_id).where('task_id', '=', task_id)
      .where('student_id', '=', student_id).forUpdate().execute()
  }
}

/** What a pupil has, wishes or waits for in a task. */
export async function heldSeats(db: Db, school_id: number, task_id: string, student_id: string): Promise<Held[]> {
  const { rows } = await sql<Held>`
    select s.offer_id::text as offer_id, s.state::int as state, o.title, o.clashes::text[] as clashes, o.group_no::int as group_no
    from elective_seat s join elective_offer o on o.school_id = ${school_id} and o.id = s.offer_id
    where s.school_id = ${school_id} and s.task_id = ${task_id} and s.student_id = ${student_id}`.execute(db)
  return rows
}

const has = ({ state }: { state: number }) => state === seats.has || state === seats.drawn

/** Why a further offer does not go with what a pupil has; null: it does. */
export function whyUnfit(offer: { id: string; group_no: number | null }, held: readonly Held[], max_pick: number) {
  const own = held.filter(one => has(one) && one.offer_id !== offer.id)
  const met = own.find(one => one.clashes.includes(offer.id))
  if (met) return fail(electiveErrors.clash, { params: { a: met.title } })
  const shared = own.find(one => one.group_no !== null && one.group_no === offer.group_no)
  if (shared) return fail(electiveErrors.exclusive, { params: { a: shared.title } })
  return own.length >= max_pick ? fail(electiveErrors.limit, { params: { n: max_pick } }) : null
}

/**
 * Gives a pupil a seat, or a number on the waiting list where the task has one. The seat is one conditional update: it is never given twice (chapter 50 rule 34).
 * Repeating it answers what there is already.
 * @throws Refusal 404, 409 full, quotaFull, 422 limit, clash, homeClash, exclusive
 */
export async function takeSeat(ctx: Place, act: Act): Promise<SeatState> {
  const { db, school_id } = ctx
  const { task, offer_id, pupil, reason } = act
  await lockPupils(ctx, task.id, [pupil.user_id])
  const offer = await db.selectFrom('elective_offer').select(['id', 'title', 'group_no', 'class_id', 'busy']).where('school_id', '=',
    school_id)
    .where('task_id', '=', task.id).where('id', '=', offer_id).executeTakeFirst()
  if (!offer) throw fail(commonErrors.notFound)
  const held = await heldSeats(db, school_id, task.id, pupil.user_id)
  if (held.some(one => one.offer_id === offer_id && has(one))) return stateOf(ctx, act)
  const unfit = whyUnfit(offer, held, task.max_pick)
  if (unfit) throw unfit
  const own = await homeLesson(ctx, offer.busy, pupil.user_id)
  if (own !== null) throw fail(electiveErrors.homeClash, { params: { a: own } })
  const { mine, full } = await lockQuotas(ctx, offer_id, pupil.user_id)
  if (full !== null) throw fail(electiveErrors.quotaFull, { params: { dim: full } })
  if (await occupySeat(ctx, offer_id)) {
    await countQuotas(ctx, offer_id, mine, 1)
    await writeSeat(ctx, act, seats.has, null)
    if (held.some(one => one.offer_id === offer_id && one.state === seats.waits)) await countWaiting(ctx, offer_id, -1)
    await countPicks(ctx, task.id, pupil.user_id, 1)
    await logEvent(ctx, act, reason === undefined ? 'pick' : 'assign')
    if (offer.class_id !== null) await joinRoster(ctx, offer.class_id, pupil.user_id)
    return stateOf(ctx, act)
  }
  if (!task.waitlist || reason !== undefined) throw fail(electiveErrors.full)
  if (held.some(one => one.offer_id === offer_id && one.state === seats.waits)) return stateOf(ctx, act)
  await writeSeat(ctx, act, seats.waits, await nextNumber(ctx, offer_id))
  await logEvent(ctx, act, 'wait')
  return stateOf(ctx, act)
}

/**
 * Gives a seat, a wish or a number on the waiting list back; the first who waits and fits gets the seat in the same transaction (chapter 50 rule 36).
 * @throws Refusal 409 notChosen
 */
export async function giveBack(ctx: Place, act: Act): Promise<void> {
  const { db, school_id } = ctx
  const { task, offer_id, pupil, reason } = act
  // Both rows before the offer's, in one order: a pupil who is promoted may be choosing at this moment.
  const first = await firstWaiting(db, school_id, offer_id, [])
  await lockPupils(ctx, task.id, [pupil.user_id, ...(first ? [first.student_id] : [])])
  const own = (await heldSeats(db, school_id, task.id, pupil.user_id)).find(one => one.offer_id === offer_id && one.state !== seats.dropped
    && one.state !== seats.lost)
  if (!own) throw fail(electiveErrors.notChosen)
  await writeSeat(ctx, act, seats.dropped, null)
  await logEvent(ctx, act, reason === undefined ? 'drop' : 'remove')
  if (own.state === seats.waits) await countWaiting(ctx, offer_id, -1)
  if (!has(own)) return
  const { mine } = await lockQuotas(ctx, offer_id, pupil.user_id)
  await countQuotas(ctx, offer_id, mine, -1)
  const { class_id } = await db.updateTable('elective_offer').set({ taken: sql<number>`taken - 1` }).where('school_id', '=', school_id)
    .where('id', '=', offer_id).returning('class_id').executeTakeFirstOrThrow()
  await countPicks(ctx, task.id, pupil.user_id, -1)
  if (class_id !== null) await leaveRoster(ctx, class_id, pupil.user_id)
  await promoteWaiting(ctx, task, offer_id)
}

/** Free seats go to who waits, in their order; who no longer fits is passed over and stays on the list. */
export async function promoteWaiting(ctx: Place, task: Task, offer_id: string): Promise<void> {
  const { db, school_id } = ctx
  const passed: string[] = []
  for (;;) {
    const next = await firstWaiting(db, school_id, offer_id, passed)
    if (!next) return
    await lockPupils(ctx, task.id, [next.student_id])
    const act: Act = { task, offer_id, pupil: { user_id: next.student_id } }
    const held = await heldSeats(db, school_id, task.id, next.student_id)
    if (!held.some(one => one.offer_id === offer_id && one.state === seats.waits)) continue
    if (whyUnfit({ id: offer_id, group_no: next.group_no }, held, task.max_pick) !== null) {
      passed.push(next.student_id)
      await logEvent(ctx, act, 'skip')
      continue
    }
    const { mine, full } = await lockQuotas(ctx, offer_id, next.student_id)
    if (full !== null) {
      passed.push(next.student_id)
      continue
    }
    if (!(await occupySeat(ctx, offer_id))) return
    await countQuotas(ctx, offer_id, mine, 1)
    await writeSeat(ctx, act, seats.has, null)
    await notifyPupils(ctx, [next.student_id], { template: teachingTemplates.elective,
      source_ref: `promote:${offer_id}:${next.student_id}:${ctx.now.getTime()}`, task: task.name, text: '候补成功，已为您选上' })
    await countWaiting(ctx, offer_id, -1)
    await countPicks(ctx, task.id, next.student_id, 1)
    await logEvent(ctx, act, 'promote')
    if (next.class_id !== null) await joinRoster(ctx, next.class_id, next.student_id)
  }
}

async function firstWaiting(db: Db, school_id: number, offer_id: string,
  passed: readonly string[]): Promise<{ student_id: string; group_no: number | null; class_id: string | null } | undefined> {
  const { rows } = await sql<{ student_id: string; group_no: number | null; class_id: string | null }>`
    select s.student_id::text as student_id, o.group_no::int as group_no, o.class_id::text as class_id
    from elective_seat s join elective_offer o on o.school_id = ${school_id} and o.id = s.offer_id
    where s.school_id = ${school_id} and s.offer_id = ${offer_id} and s.state = 3 and s.student_id <> all(${[...passed]}::bigint[]) order by s.wait_no limit 1`.execute(db)
  return rows[0]
}

/** One free seat less, if there is one. */
async function occupySeat({ db, school_id }: Place, offer_id: string): Promise<boolean> {
  const row = await db.updateTable('elective_offer').set({ taken: sql<number>`taken + 1` }).where('school_id', '=', school_id)
    .where('id', '=', offer_id).where(sql<boolean>`taken < capacity`).returning('taken').executeTakeFirst()
  return row !== undefined
}

async function nextNumber({ db, school_id }: Place, offer_id: string): Promise<number> {
  const counted = { wait_seq: sql<number>`wait_seq + 1`, waitlisted: sql<number>`waitlisted + 1` }
  return (await db.updateTable('elective_offer').set(counted).where('school_id', '=', school_id).where('id', '=', offer_id)
    .returning('wait_seq').executeTakeFirstOrThrow()).wait_seq
}

async function countWaiting({ db, school_id }: Place, offer_id: string, by: number): Promise<void> {
  await db.updateTable('elective_offer').set({ waitlisted: sql<number>`waitlisted + ${by}` }).where('school_id', '=', school_id)
    .where('id', '=', offer_id).execute()
}

async function countPicks({ db, school_id, now }: Place, task_id: string, student_id: string, by: number): Promise<void> {
  await db.updateTable('elective_student').set({ picks: sql<number>`picks + ${by}`, submitted_at: now }).where('school_id', '=', school_id)
    .where('task_id', '=', task_id).where('student_id', '=', student_id).execute()
}

async function writeSeat({ db, school_id, now }: Place, { task, offer_id, pupil }: Act, state: number,
  wait_no: number | null): Promise<void> {
  const values = { state, wait_no, rank: 0, at: now }
  await db.insertInto('elective_seat').values({ school_id, task_id: task.id, student_id: pupil.user_id, offer_id, ...values })
    .onConflict(on => on.columns(['school_id', 'task_id', 'student_id', 'offer_id']).doUpdateSet(values)).execute()
}

async function logEvent({ db, school_id, now, me }: Place, { task, offer_id, pupil, reason = '' }: Act, action: string): Promise<void> {
  await db.insertInto('elective_event')
    .values({ school_id, task_id: task.id, student_id: pupil.user_id, offer_id, action, by_id: me.user_id, reason, at: now }).execute()
}

async function stateOf({ db, school_id }: Place, { task, offer_id, pupil }: Act): Promise<SeatState> {
  const { rows } = await sql<SeatState>`
    select s.state::int as state, s.wait_no, o.capacity - o.taken as left
    from elective_seat s join elective_offer o on o.school_id = ${school_id} and o.id = s.offer_id
    where s.school_id = ${school_id} and s.task_id = ${task.id} and s.student_id = ${pupil.user_id} and s.offer_id = ${offer_id}`.execute(db)
  const [state] = rows
  if (!state) throw fail(electiveErrors.notChosen)
  return state
}
