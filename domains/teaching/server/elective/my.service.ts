import { electiveErrors } from '@campus/teaching/contract'
import type { choiceApi, MyOffer } from '@campus/teaching/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { giveBack, heldSeats, takeSeat, whyUnfit } from './pick.service.ts'
import type { Pupil, SeatState } from './pick.service.ts'
import { modes, seats, shown, stateAt } from './state.ts'
import { isLive, readOffers, requireTask, taskRows } from './task.queries.ts'
import type { Task } from './task.queries.ts'

const sexes: Readonly<Record<string, string>> = { 1: '男生', 2: '女生' }

/** The pupils for whom somebody may choose: himself, or a parent's children. */
async function myPupils(ctx: TeachingCtx): Promise<Pupil[]> {
  const { db, school_id } = ctx
  const ids = await selfScope(ctx)
  return db.selectFrom('live_student').select(['user_id', 'user_name', 'student_no', 'dept_id', 'grade', 'sex'])
    .where('school_id', '=', school_id).where('user_id', 'in', ids).orderBy('user_id').execute()
}

/** @throws Refusal 404 for a child of somebody else, 422 notAudience for who is no pupil */
async function myPupil(ctx: TeachingCtx, student_id: string | undefined): Promise<Pupil> {
  const pupils = await myPupils(ctx)
  const pupil = student_id === undefined ? pupils[0] : pupils.find(one => one.user_id === student_id)
  if (pupil) return pupil
  throw student_id === undefined ? fail(electiveErrors.notAudience) : fail(commonErrors.notFound)
}

/** Tasks that concern me or my children, the latest first. */
export async function myTasks(ctx: TeachingCtx): Promise<Reply<typeof choiceApi.tasks>> {
  const { db, school_id, now } = ctx
  const list: Reply<typeof choiceApi.tasks>['list'] = []
  for (const pupil of await myPupils(ctx)) {
    const found = await db.selectFrom('elective_task').select('id').where('school_id', '=', school_id).where('state', 'in', [1, 4])
      .where(sql<boolean>`${pupil.grade ?? ''} = any(grades)`).orderBy('open_at', 'desc').limit(20).execute()
    const tasks: Task[] = []
    for (const { id } of found) tasks.push(await requireTask(db, school_id, id))
    for (const row of await taskRows(db, school_id, now, tasks)) {
      const own = await heldSeats(db, school_id, row.id, pupil.user_id)
      list.push({ ...row, student_id: pupil.user_id, student_name: pupil.user_name, picks: own
        .filter(one => one.state !== seats.dropped && one.state !== seats.lost).length })
    }
  }
  return { list }
}

/** What a task offers me: seats left, what I have, why not. @throws Refusal 404, 422 notAudience */
export async function myOffers(ctx: TeachingCtx,
  { task_id, student_id }: Input<typeof choiceApi.offers>): Promise<Reply<typeof choiceApi.offers>> {
  const { db, school_id, now } = ctx
  const pupil = await myPupil(ctx, student_id)
  const task = await requireTask(db, school_id, task_id)
  if (!isLive(stateAt(task, now))) throw fail(commonErrors.notFound)
  requireAudience(task, pupil)
  const held = await heldSeats(db, school_id, task_id, pupil.user_id)
  const own = await db.selectFrom('elective_seat').select(['offer_id', 'state', 'rank', 'wait_no', 'draw_no'])
    .where('school_id', '=', school_id).where('task_id', '=', task_id).where('student_id', '=', pupil.user_id)
    .where('state', '<>', seats.dropped).execute()
  const list = (await readOffers(db, school_id, task_id))
    .map(({ course_id: _course, clashes: _clashes, class_id: _class, row_version: _row, quotas: _quotas, grades, sex,
      ...offer }): MyOffer => {
    const mine = own.find(seat => seat.offer_id === offer.id)
    return {
      ...offer, left: offer.capacity - offer.taken,
        mine: mine ? { state: mine.state, rank: mine.rank, wait_no: mine.wait_no, draw_no: mine.draw_no } : null,
      why_not: conditionOf({ title: offer.title, grades, sex }, pupil)?.message ?? (mine
        || task.mode !== modes.rush ? null : (whyUnfit(offer, held, task.max_pick)?.message ?? null)),
    }
  })
  return { list, now: now.toISOString() }
}

/** @throws Refusal 404, 409 full, 422 notOpen, closed, paused, byStaff, byWish, notAudience, condition, limit, exclusive, clash */
export async function pickMine(ctx: TeachingCtx, { offer_id, student_id }: Input<typeof choiceApi.pick>): Promise<SeatState> {
  const { pupil, task } = await openFor(ctx, offer_id, student_id)
  if (task.mode === modes.lottery) throw fail(electiveErrors.byWish)
  await requireCondition(ctx.db, ctx.school_id, offer_id, pupil)
  const seat = await takeSeat(ctx, { task, offer_id, pupil })
  ctx.note({ target_kind: 'teaching.choice', target_id: offer_id, target_name: `${task.name} ${pupil.user_name}` })
  return seat
}

/** @throws Refusal 404, 409 notChosen, 422 notOpen, closed, paused, dropClosed */
export async function dropMine(ctx: TeachingCtx, { offer_id, student_id }: Input<typeof choiceApi.drop>): Promise<Record<string, never>> {
  const { pupil, task } = await openFor(ctx, offer_id, student_id)
  if (task.drop_until !== null && ctx.now >= task.drop_until) throw fail(electiveErrors.dropClosed)
  await giveBack(ctx, { task, offer_id, pupil })
  ctx.note({ target_kind: 'teaching.choice', target_id: offer_id, target_name: `${task.name} ${pupil.user_name}` })
  return {}
}

/**
 * The wishes of a lottery, all of them in their order. @throws Refusal 404, 422 notOpen, closed, paused, byStaff, notAudience, condition,
 * wishTwice, tooManyWishes
 */
export async function wishMine(ctx: TeachingCtx,
  { task_id, student_id, offer_ids }: Input<typeof choiceApi.wishes>): Promise<{ wishes: number }> {
  const { db, school_id, now, me } = ctx
  const pupil = await myPupil(ctx, student_id)
  const task = await shareTask(db, school_id, task_id)
  requireOpen(task, pupil, now)
  if (task.mode !== modes.lottery) throw fail(electiveErrors.notLottery)
  if (new Set(offer_ids).size < offer_ids.length) throw fail(electiveErrors.wishTwice)
  if (offer_ids.length > task.wishes) throw fail(electiveErrors.tooManyWishes, { params: { n: task.wishes } })
  for (const offer_id of offer_ids) await requireCondition(db, school_id, offer_id, pupil, task_id)
  const own = { school_id, task_id, student_id: pupil.user_id }
  await db.insertInto('elective_student').values({ ...own, submitted_at: now })
    .onConflict(on => on.columns(['school_id', 'task_id', 'student_id']).doUpdateSet({ submitted_at: now })).execute()
  await db.deleteFrom('elective_seat').where('school_id', '=', school_id).where('task_id', '=', task_id)
    .where('student_id', '=', pupil.user_id).where('state', '=', seats.wish).execute()
  const held = await heldSeats(db, school_id, task_id, pupil.user_id)
  const fresh = offer_ids.filter(offer_id => !held.some(one => one.offer_id === offer_id && one.state === seats.has))
  await db.deleteFrom('elective_seat').where('school_id', '=', school_id).where('task_id', '=', task_id)
    .where('student_id', '=', pupil.user_id).where('state', '=', seats.dropped).execute()
  await insertMany(db, 'elective_seat', fresh.map((offer_id, at) => ({ ...own, offer_id, rank: at + 1, state: seats.wish, at: now })))
  await insertMany(db, 'elective_event', fresh.map(offer_id => ({ ...own, offer_id, action: 'wish', by_id: me.user_id, at: now })))
  ctx.note({ target_kind: 'teaching.choice', target_id: task_id, target_name: `${task.name} ${pupil.user_name}`,
    after: { wishes: fresh.length } })
  return { wishes: fresh.length }
}

async function openFor(ctx: TeachingCtx, offer_id: string, student_id: string | undefined): Promise<{ pupil: Pupil; task: Task }> {
  const { db, school_id, now } = ctx
  const pupil = await myPupil(ctx, student_id)
  const offer = await db.selectFrom('elective_offer').select('task_id').where('school_id', '=', school_id).where('id', '=', offer_id)
    .executeTakeFirst()
  if (!offer) throw fail(commonErrors.notFound)
  const task = await shareTask(db, school_id, offer.task_id)
  requireOpen(task, pupil, now)
  return { pupil, task }
}

/** A task that cannot be closed, drawn or ended by others until this choice is written. */
async function shareTask(db: Db, school_id: number, id: string): Promise<Task> {
  await db.selectFrom('elective_task').select('id').where('school_id', '=', school_id).where('id', '=', id).forShare().execute()
  return requireTask(db, school_id, id)
}

/** Open by the server's clock alone (50-A21). */
function requireOpen(task: Task, pupil: Pupil, now: Date): void {
  const state = stateAt(task, now)
  if (!isLive(state)) throw fail(commonErrors.notFound)
  requireAudience(task, pupil)
  if (state === shown.closed || state === shown.announced) throw fail(electiveErrors.closed)
  if (state !== shown.open) throw fail(task.paused ? electiveErrors.paused : electiveErrors.notOpen)
  if (task.mode !== modes.rush && task.mode !== modes.lottery) throw fail(electiveErrors.byStaff)
}

function requireAudience({ grades }: Task, { grade }: Pupil): void {
  if (grade === null || !grades.includes(grade)) throw fail(electiveErrors.notAudience)
}

type Conditions = { title: string; grades: readonly string[]; sex: string | null }

function conditionOf({ title, grades, sex }: Conditions, pupil: Pupil) {
  if (grades.length > 0 && !grades.includes(pupil.grade ?? '')) return fail(electiveErrors.condition, { params: { title, who: '指定年级' } })
  return sex !== null && sex !== pupil.sex ? fail(electiveErrors.condition, { params: { title, who: sexes[sex] ?? '' } }) : null
}

async function requireCondition(db: Db, school_id: number, offer_id: string, pupil: Pupil, task_id?: string): Promise<void> {
  const offer = await db.selectFrom('elective_offer').select(['title', 'grades', 'sex']).where('school_id', '=', school_id)
    .where('id', '=', offer_id).$if(task_id !== undefined, query => query.where('task_id', '=', task_id ?? '')).executeTakeFirst()
  if (!offer) throw fail(commonErrors.notFound)
  const refused = conditionOf(offer, pupil)
  if (refused) throw refused
}
