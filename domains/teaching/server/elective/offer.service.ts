import { allCombos, comboCode, comboName, electiveErrors, parseCombo } from '@campus/teaching/contract'
import type { Offer, offerApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import type { Db, TeachingCtx } from '../db.ts'
import { placeNames, requireTeachers } from '../plan/plan.queries.ts'
import { setClashes } from './clash.ts'
import { promoteWaiting } from './pick.service.ts'
import { saveQuotas } from './quota.ts'
import { combo_kind, modes, stored } from './state.ts'
import { readOffers, requireTask } from './task.queries.ts'
import type { Task } from './task.queries.ts'

type Draft = Omit<Input<typeof offerApi.add>, 'task_id'>

/** Offers of a task with what is taken of each. @throws Refusal 404 */
export async function listOffers({ db, school_id }: TeachingCtx, task_id: string): Promise<{ list: Offer[] }> {
  await requireTask(db, school_id, task_id)
  return { list: await readOffers(db, school_id, task_id) }
}

/** @throws Refusal 404, 409 titleTaken, wrongState, 422 badCombo, teacherUnknown */
export async function addOffer(ctx: TeachingCtx, { task_id, ...draft }: Input<typeof offerApi.add>): Promise<{ offer: Offer }> {
  const { db, school_id } = ctx
  const task = await requireTask(db, school_id, task_id, true)
  if (task.state !== stored.draft && task.state !== stored.published) throw fail(electiveErrors.wrongState)
  const { quotas, ...values } = await requireSound(db, school_id, task, draft)
  const { id } = await db.insertInto('elective_offer').values({ ...values, school_id, task_id }).returning('id').executeTakeFirstOrThrow()
  await saveQuotas(ctx, id, quotas)
  await setClashes(db, school_id, task)
  ctx.note({ target_kind: 'teaching.offer', target_id: id, target_name: `${task.name} ${draft.title}` })
  return answer(db, school_id, task_id, id)
}

/**
 * More seats go to who waits; fewer than are taken are refused (chapter 50 rule 38). @throws Refusal 404, 409 hasSeats, titleTaken,
 * wrongState, 422 badCombo, teacherUnknown, published
 */
export async function updateOffer(ctx: TeachingCtx,
  { id, row_version, ...draft }: Input<typeof offerApi.update>): Promise<{ offer: Offer }> {
  const { db, school_id } = ctx
  const { task_id } = await requireOffer(db, school_id, id)
  const task = await requireTask(db, school_id, task_id, true)
  const before = await db.selectFrom('elective_offer').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate()
    .executeTakeFirstOrThrow()
  if (task.state === stored.void || before.row_version !== row_version) throw fail(electiveErrors.wrongState)
  if (draft.capacity < before.taken) throw fail(electiveErrors.hasSeats,
    { params: { n: before.taken }, errors: [{ field: 'capacity', msg: '容量不能小于已选人数' }] })
  if (task.drawn_at !== null && task.state === stored.published && draft.capacity !== before.capacity) throw fail(electiveErrors.drawFirst)
  const { quotas, ...values } = await requireSound(db, school_id, task, draft)
  await db.updateTable('elective_offer').set({ ...values, row_version: row_version + 1 }).where('school_id', '=', school_id)
    .where('id', '=', id).execute()
  await saveQuotas(ctx, id, quotas)
  await setClashes(db, school_id, task)
  if (task.state === stored.published && task.mode === modes.rush) await promoteWaiting(ctx, task, id)
  ctx.note({ target_kind: 'teaching.offer', target_id: id, target_name: `${task.name} ${draft.title}`,
    before: { capacity: before.capacity }, after: { capacity: draft.capacity } })
  return answer(db, school_id, task_id, id)
}

/** Only what no pupil has chosen yet. @throws Refusal 404, 409 offerChosen */
export async function removeOffer(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const { task_id, title } = await requireOffer(db, school_id, id)
  const task = await requireTask(db, school_id, task_id, true)
  await db.selectFrom('elective_offer').select('id').where('school_id', '=', school_id).where('id', '=', id).forUpdate().execute()
  const chosen = await db.selectFrom('elective_seat').select('student_id').where('school_id', '=', school_id).where('offer_id', '=', id)
    .limit(1).executeTakeFirst()
  if (chosen) throw fail(electiveErrors.offerChosen)
  await db.deleteFrom('elective_offer').where('school_id', '=', school_id).where('id', '=', id).execute()
  await setClashes(db, school_id, task)
  ctx.note({ target_kind: 'teaching.offer', target_id: id, target_name: `${task.name} ${title}` })
  return {}
}

/** Adds the combinations of 3+1+2 that are missing. @throws Refusal 404, 409 wrongState, 422 badCombo for another kind of task */
export async function addCombos(ctx: TeachingCtx, { task_id, capacity }: Input<typeof offerApi.combos>): Promise<{ made: number }> {
  const { db, school_id } = ctx
  const task = await requireTask(db, school_id, task_id, true)
  if (task.state !== stored.draft) throw fail(electiveErrors.wrongState)
  if (task.kind !== combo_kind) throw fail(electiveErrors.badCombo)
  const known = new Set((await readOffers(db, school_id, task_id)).map(offer => offer.combo))
  const missing = allCombos().filter(combo => !known.has(combo))
  await insertMany(db, 'elective_offer', missing.map(combo => ({ school_id, task_id, title: comboName(combo), combo, capacity })))
  ctx.note({ target_kind: 'teaching.offer', target_id: task_id, target_name: `${task.name} 选科组合 ${missing.length}个` })
  return { made: missing.length }
}

/** What an offer names is of this school; a task of 3+1+2 offers combinations, the others courses. */
async function requireSound(db: Db, school_id: number, task: Task, draft: Draft) {
  const { course_id, place_id, teacher_ids, combo, slots, ...rest } = draft
  const parsed = combo === null ? null : parseCombo(combo)
  if ((task.kind === combo_kind) !== (combo !== null) || (combo !== null && parsed === null)) throw fail(electiveErrors.badCombo,
    { errors: [{ field: 'combo', msg: electiveErrors.badCombo.msg }] })
  if (course_id !== null
    && !(await db.selectFrom('course').select('id').where('school_id', '=', school_id).where('id', '=', course_id)
    .executeTakeFirst())) throw fail(commonErrors.notFound)
  if (place_id !== null && !(await placeNames(db, school_id, [place_id])).has(place_id)) throw fail(commonErrors.notFound)
  await requireTeachers(db, school_id, teacher_ids)
  if (rest.quotas.length > 0 && task.mode !== modes.rush) throw fail(electiveErrors.quotaRush,
    { errors: [{ field: 'quotas', msg: electiveErrors.quotaRush.msg }] })
  return { ...rest, course_id, place_id, teacher_ids, combo: parsed && comboCode(parsed), slots: JSON.stringify(slots) }
}

async function requireOffer(db: Db, school_id: number, id: string) {
  const offer = await db.selectFrom('elective_offer').select(['id', 'task_id', 'title']).where('school_id', '=', school_id)
    .where('id', '=', id).executeTakeFirst()
  if (!offer) throw fail(commonErrors.notFound)
  return offer
}

async function answer(db: Db, school_id: number, task_id: string, id: string): Promise<{ offer: Offer }> {
  const [offer] = await readOffers(db, school_id, task_id, id)
  if (!offer) throw fail(commonErrors.notFound)
  return { offer }
}
