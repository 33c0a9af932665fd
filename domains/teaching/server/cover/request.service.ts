import { changeErrors, weekday_names } from '@campus/teaching/contract'
import type { changeApi, ChangeRequest, DayLesson } from '@campus/teaching/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TeachingCtx } from '../db.ts'
import { notifyTeachers } from '../elective/notify.ts'
import { readDayLessons } from '../lesson/lesson.service.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { checkSwap, swapLessons, undoChange } from './change.service.ts'
import { carryOut, closeOrder, holdOrder } from './consent.service.ts'
import { lessonsOf } from './look.service.ts'
import { checkMove, moveLesson } from './move.service.ts'
import { change_kinds, order_states, waitOrder } from './order.ts'

const apply_code = 'teaching.change.apply'
const most_requests = 50
const [expired, longest_text] = [7, 200] as const
const waiting: readonly number[] = [order_states.asked, order_states.approval]

/**
 * 申请调课: a teacher asks for a swap or a move of his own lesson. The teacher of the other lesson agrees, then the office approves; who may
 * change lessons himself needs neither (chapter 50 §2).
 * @throws Refusal 404, 403 notYours, 409 sameDayTwice, 422 of the swap or the move
 */
export async function addRequest(ctx: TeachingCtx, asked: Input<typeof changeApi.add>): Promise<Reply<typeof changeApi.add>> {
  const { me } = ctx
  await selfScope(ctx)
  const { date, lesson_day_id, reason } = asked
  await requireOwn(ctx, date, lesson_day_id)
  const at_once = me.codes.has(apply_code)
  if (asked.kind === change_kinds.swap) {
    const swap = { date, lesson_day_id, reason, other_date: asked.other_date, other_id: asked.other_id ?? '0' }
    if (at_once) return { ...(await swapLessons(ctx, swap)), state: order_states.in_force }
    const { other, order } = await checkSwap(ctx, swap)
    const partner = other.teacher_ids.includes(me.user_id) ? null : (other.teacher_ids[0] ?? null)
    const order_id = await waitOrder(ctx, order, { asked: [null, partner], needs_approval: true })
    return { order_id, state: partner === null ? order_states.approval : order_states.asked }
  }
  const move = { date, lesson_day_id, reason, to_date: asked.other_date, to_section: asked.to_section ?? 0 }
  if (at_once) return { ...(await moveLesson(ctx, move)), state: order_states.in_force }
  const { order } = await checkMove(ctx, move)
  return { order_id: await waitOrder(ctx, order, { asked: [null], needs_approval: true }), state: order_states.approval }
}

/** @throws Refusal 404, 403 notYours */
async function requireOwn({ db, school_id, me }: TeachingCtx, date: string, lesson_day_id: string): Promise<{ class_id: string }> {
  const lesson = await db.selectFrom('lesson_day').select(['class_id', 'teacher_ids']).where('school_id', '=', school_id)
    .where('date', '=', date).where('lesson_day_id', '=', lesson_day_id).executeTakeFirst()
  if (!lesson) throw fail(commonErrors.notFound)
  if (!lesson.teacher_ids.includes(me.user_id)) throw fail(changeErrors.notYours)
  return lesson
}

/** What I asked for, the latest first. */
export async function listRequests(ctx: TeachingCtx): Promise<Reply<typeof changeApi.requests>> {
  const { me } = ctx
  await selfScope(ctx)
  const list = await readRequests(ctx, sql<boolean>`o.applied_by = ${me.user_id} and o.needs_approval`)
  return { list: list.map(({ by_name: _by, asked_at: _at, ...one }) => one) }
}

/** Orders of teachers with their lessons; `which` is a condition on `o`. */
export async function readRequests({ db, school_id, now }: TeachingCtx,
  which: RawBuilder<boolean>): Promise<(ChangeRequest & { by_name: string; asked_at: Date })[]> {
  const orders = await db.selectFrom('change_order as o').select(['o.id', 'o.order_no', 'o.kind', 'o.state', 'o.reason', 'o.answer',
    'o.applied_by', 'o.applied_at']).where('o.school_id', '=', school_id).where(which).orderBy('o.id', 'desc').limit(most_requests)
      .execute()
  if (orders.length === 0) return []
  const items = await db.selectFrom('change_item').select(['order_id', 'item_no', 'date', 'lesson_day_id', 'asked_id', 'agreed_at',
    'to_date', 'to_section']).where('school_id', '=', school_id).where('order_id', 'in', orders.map(one => one.id)).orderBy('item_no')
      .execute()
  const lessons = await lessonsOf(db, school_id, items)
  const names = await teacherNames(db, school_id, [...orders.map(one => one.applied_by), ...items.flatMap(one => one.asked_id ?? [])])
  return orders.flatMap(({ applied_by, applied_at, ...order }) => {
    const [first, second] = items.filter(one => one.order_id === order.id)
    const lesson = lessons.get(first?.lesson_day_id ?? '')
    if (!first || !lesson) return []
    const other = lessons.get(second?.lesson_day_id ?? '')
    const is_over = waiting.includes(order.state) && Date.parse(lesson.begin_at) <= now.getTime()
    const state = is_over ? expired : order.state
    const asked = items.filter(one => one.order_id === order.id && one.asked_id !== null && one.agreed_at === null)
    return [{
      ...order, state, lesson, by_name: names.get(applied_by) ?? '', asked_at: applied_at,
      target: order.kind === change_kinds.move ? `移到${first.to_date ?? ''} 第${first.to_section ?? ''}节`
        : `与${other ? lessonText(other) : '已取消的课'}对调`,
      waits_for: state === order_states.asked ? asked.map(one => names.get(one.asked_id ?? '') ?? '').join('、') : state ===
        order_states.approval ? '教务' : '',
      may_withdraw: waiting.includes(state),
    }]
  })
}

/** 2026-09-14 星期一 第2节 三年级2班 数学（李娜）. */
export function lessonText({ date, weekday, section, class_name, course_name, teachers }: DayLesson): string {
  const people = teachers.map(one => one.user_name).join('、')
  return `${date} ${weekday_names[weekday] ?? ''} 第${section}节 ${class_name} ${course_name}${people === '' ? '' : `（${people}）`}`
}

/** Lessons of the class of an own lesson on a date that nothing has changed and that have not begun. @throws Refusal 404, 403 notYours */
export async function listPartners(ctx: TeachingCtx,
  { date, lesson_day_id, other_date }: Input<typeof changeApi.partners>): Promise<Reply<typeof changeApi.partners>> {
  const { db, school_id, now } = ctx
  await selfScope(ctx)
  const { class_id } = await requireOwn(ctx, date, lesson_day_id)
  const list = await readDayLessons(db, school_id, sql`d.date = ${other_date}::date and d.class_id = ${class_id} and d.state = 1
    and d.begin_at > ${now}::timestamptz and d.lesson_day_id <> ${lesson_day_id}`)
  return { list: list.toSorted((a, b) => a.begin_at.localeCompare(b.begin_at)) }
}

/** Who asked takes it back while it waits. @throws Refusal 404 for somebody else's, 409 settled */
export async function withdrawRequest(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { me } = ctx
  await selfScope(ctx)
  const order = await holdOrder(ctx, id)
  if (order.applied_by !== me.user_id || !order.needs_approval) throw fail(commonErrors.notFound)
  if (!waiting.includes(order.state)) throw fail(changeErrors.settled)
  return undoChange(ctx, id)
}

/** The office agrees: the lessons change. @throws Refusal 404, 409 settled, 422 begun, clash, classBusy, placeBusy */
export async function approveRequest(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, me } = ctx
  const order = await requireWaiting(ctx, id)
  await carryOut(ctx, order)
  await db.updateTable('change_order').set({ decided_by: me.user_id }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await notifyTeachers(ctx, [order.applied_by], { source_ref: `approved:${id}`, text: `您申请的调课${order.order_no}已通过` })
  return {}
}

/** The office does not agree: the lessons stay as they are. @throws Refusal 404, 409 settled */
export async function refuseRequest(ctx: TeachingCtx, { id, text }: Input<typeof changeApi.refuse>): Promise<Record<string, never>> {
  const { db, school_id, me } = ctx
  const order = await requireWaiting(ctx, id)
  await closeOrder(ctx, id, order_states.refused, text)
  await db.updateTable('change_order').set({ decided_by: me.user_id }).where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'teaching.change', target_id: id, target_name: `驳回 ${order.order_no}` })
  await notifyTeachers(ctx, [order.applied_by], { source_ref: `refused:${id}`, text: `您申请的调课${order.order_no}被驳回：${text}`.slice(0,
    longest_text) })
  return {}
}

/** @throws Refusal 404, 409 settled, 403 ownRequest */
async function requireWaiting(ctx: TeachingCtx, id: string) {
  const order = await holdOrder(ctx, id)
  if (order.state !== order_states.approval) throw fail(changeErrors.settled)
  if (order.applied_by === ctx.me.user_id) throw fail(changeErrors.ownRequest)
  return order
}
