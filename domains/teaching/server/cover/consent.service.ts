import { changeErrors } from '@campus/teaching/contract'
import type { AskedCover, changeApi } from '@campus/teaching/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { TeachingCtx } from '../db.ts'
import { notifyTeachers } from '../elective/notify.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { coverChain } from './chain.service.ts'
import { coverLesson, swapLessons } from './change.service.ts'
import { lessonsOf } from './look.service.ts'
import { moveLesson } from './move.service.ts'
import { change_kinds, order_states } from './order.ts'
import { lockDays } from './undo.ts'

/** Covers and swaps that wait for my consent and have not begun (chapter 50 §2). */
export async function listAsked(ctx: TeachingCtx): Promise<Reply<typeof changeApi.mine>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const rows = await db.selectFrom('change_order as o')
    .innerJoin('change_item as i', on => on.onRef('i.order_id', '=', 'o.id').on('i.school_id', '=', school_id))
    .select(['o.id', 'o.kind', 'o.reason', 'o.applied_by', 'i.item_no', 'i.date', 'i.lesson_day_id', 'i.from_teacher_id'])
    .where('o.school_id', '=', school_id).where('o.state', '=', order_states.asked).where('i.asked_id', '=', me.user_id)
    .where('i.agreed_at', 'is', null).where('i.open', '=', true).orderBy('i.date').orderBy('o.id').execute()
  const others = rows.length === 0 ? [] : await db.selectFrom('change_item').select(['order_id', 'date', 'lesson_day_id'])
    .where('school_id', '=', school_id).where('order_id', 'in', rows.map(row => row.id)).where('item_no', '=', 1).execute()
  const lessons = await lessonsOf(db, school_id, [...rows, ...others])
  const names = await teacherNames(db, school_id, rows.flatMap(row => [row.applied_by, row.from_teacher_id ?? []].flat()))
  const list = rows.flatMap(({ id, kind, reason, applied_by, lesson_day_id, from_teacher_id }): AskedCover[] => {
    const lesson = lessons.get(lesson_day_id)
    if (!lesson || Date.parse(lesson.begin_at) <= now.getTime()) return []
    const given = kind === change_kinds.swap ? others.find(one => one.order_id === id)?.lesson_day_id : undefined
    return [{ id, kind, reason, lesson, by_name: names.get(applied_by) ?? '', from_name: names.get(from_teacher_id ?? '') ?? '',
      other: lessons.get(given ?? '') ?? null }]
  })
  return { list }
}

/**
 * Who is asked agrees or does not; when all have agreed the lesson changes, or the order waits for the office.
 * @throws Refusal 404 for an order that does not ask me, 409 settled, 422 begun, clash
 */
export async function answerCover(ctx: TeachingCtx, { id, agreed, text }: Input<typeof changeApi.answer>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const order = await holdOrder(ctx, id)
  const mine = order.items.find(one => one.asked_id === me.user_id)
  if (!mine) throw fail(commonErrors.notFound)
  if (order.state !== order_states.asked || mine.agreed_at !== null) throw fail(changeErrors.settled)
  ctx.note({ target_kind: 'teaching.change', target_id: id, target_name: agreed ? '同意' : '谢绝' })
  if (!agreed) {
    await closeOrder(ctx, id, order_states.declined, text)
    const name = (await teacherNames(db, school_id, [me.user_id])).get(me.user_id) ?? ''
    const words = order.kind === change_kinds.swap ? '不同意对调' : '不能代'
    await notifyTeachers(ctx, [order.applied_by], { source_ref: `declined:${id}`, text: `${name}${words}${mine.date}的课，请另行安排` })
    return {}
  }
  await db.updateTable('change_item').set({ agreed_at: now }).where('school_id', '=', school_id).where('order_id', '=', id)
    .where('asked_id', '=', me.user_id).execute()
  if (text !== '') await db.updateTable('change_order').set({ answer: text }).where('school_id', '=', school_id).where('id', '=', id)
    .execute()
  if (order.items.some(one => one.asked_id !== null && one.asked_id !== me.user_id && one.agreed_at === null)) return {}
  if (!order.needs_approval) {
    await carryOut(ctx, order)
    return {}
  }
  await db.updateTable('change_order').set({ state: order_states.approval }).where('school_id', '=', school_id).where('id', '=', id)
    .execute()
  return {}
}

/** An order with its items, its days and itself held until the transaction ends. @throws Refusal 404 */
export async function holdOrder(ctx: TeachingCtx, id: string) {
  const { db, school_id } = ctx
  const own = db.selectFrom('change_item').where('school_id', '=', school_id).where('order_id', '=', id).orderBy('item_no')
  const days = await own.select(['date', 'to_date']).execute()
  await lockDays(ctx, days.flatMap(({ date, to_date }) => [date, to_date ?? []].flat()))
  const order = await db.selectFrom('change_order').select(['id', 'order_no', 'kind', 'state', 'reason', 'applied_by', 'needs_approval'])
    .where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!order) throw fail(commonErrors.notFound)
  const items = await own.select(['date', 'lesson_day_id', 'from_teacher_id', 'to_teacher_id', 'asked_id', 'agreed_at', 'to_date',
    'to_section']).execute()
  return { ...order, items }
}

type Held = Awaited<ReturnType<typeof holdOrder>>

/** An order that has waited changes its lessons, by the rules of today. @throws Refusal 404, 422 begun, clash, classBusy, placeBusy */
export async function carryOut(ctx: TeachingCtx, { id, kind, reason, items }: Held): Promise<void> {
  const [first, second] = items
  if (!first) throw fail(commonErrors.notFound)
  const { date, lesson_day_id, from_teacher_id: absent_id } = first
  const own = { date, lesson_day_id, reason }
  if (kind === change_kinds.swap && second) await swapLessons(ctx, { ...own, other_date: second.date, other_id: second.lesson_day_id }, id)
  else if (kind === change_kinds.move) await moveLesson(ctx, { ...own, to_date: first.to_date ?? date, to_section: first.to_section ?? 0 },
    id)
  else if (kind === change_kinds.chain) {
    const teacher_ids = items.flatMap(one => one.to_teacher_id ?? [])
    await coverChain(ctx, { ...own, absent_id, teacher_ids, ask: false }, id)
  } else {
    const covered = kind === change_kinds.study ? change_kinds.study : change_kinds.cover
    await coverLesson(ctx, { ...own, kind: covered, absent_id, teacher_id: first.to_teacher_id, ask: false }, id)
  }
}

/** An order that will not come into force: its lessons may take another one. */
export async function closeOrder({ db, school_id }: TeachingCtx, id: string, state: number, answer: string): Promise<void> {
  await db.updateTable('change_order').set({ state, answer }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await db.updateTable('change_item').set({ open: false }).where('school_id', '=', school_id).where('order_id', '=', id).execute()
}
