import { changeErrors } from '@campus/teaching/contract'
import type { AskedCover, changeApi } from '@campus/teaching/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { TeachingCtx } from '../db.ts'
import { notifyTeachers } from '../elective/notify.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { order_states, requireFree, requireLesson, writeCover } from './change.service.ts'
import { lessonsOf } from './look.service.ts'
import { lockDays } from './undo.ts'

/** Covers that wait for my consent and have not begun (chapter 50 §2). */
export async function listAsked(ctx: TeachingCtx): Promise<Reply<typeof changeApi.mine>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const rows = await db.selectFrom('change_order as o')
    .innerJoin('change_item as i', on => on.onRef('i.order_id', '=', 'o.id').on('i.school_id', '=', school_id))
    .select(['o.id', 'o.kind', 'o.reason', 'o.applied_by', 'i.date', 'i.lesson_day_id', 'i.from_teacher_id'])
    .where('o.school_id', '=', school_id).where('o.state', '=', order_states.asked).where('o.asked_id', '=', me.user_id).where('i.open',
      '=', true)
    .orderBy('i.date').orderBy('o.id').execute()
  const lessons = await lessonsOf(db, school_id, rows)
  const names = await teacherNames(db, school_id, rows.flatMap(row => [row.applied_by, row.from_teacher_id ?? []].flat()))
  const list = rows.flatMap(({ id, kind, reason, applied_by, lesson_day_id, from_teacher_id }): AskedCover[] => {
    const lesson = lessons.get(lesson_day_id)
    if (!lesson || Date.parse(lesson.begin_at) <= now.getTime()) return []
    return [{ id, kind, reason, lesson, by_name: names.get(applied_by) ?? '', from_name: names.get(from_teacher_id ?? '') ?? '' }]
  })
  return { list }
}

/**
 * The teacher who is asked agrees, and the lesson changes; or he does not, and it waits for somebody else.
 * @throws Refusal 404 for an order that does not ask me, 409 settled, 422 begun, clash
 */
export async function answerCover(ctx: TeachingCtx, { id, agreed, text }: Input<typeof changeApi.answer>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const item = await db.selectFrom('change_item').select(['date', 'lesson_day_id', 'from_teacher_id']).where('school_id', '=', school_id)
    .where('order_id', '=', id).where('item_no', '=', 1).executeTakeFirst()
  if (!item) throw fail(commonErrors.notFound)
  const { date, lesson_day_id, from_teacher_id } = item
  await lockDays(ctx, [date])
  const order = await db.selectFrom('change_order').select(['kind', 'state', 'asked_id', 'applied_by']).where('school_id', '=', school_id)
    .where('id', '=', id).forUpdate().executeTakeFirst()
  if (order?.asked_id !== me.user_id) throw fail(commonErrors.notFound)
  if (order.state !== order_states.asked) throw fail(changeErrors.settled)
  const own = db.updateTable('change_order').where('school_id', '=', school_id).where('id', '=', id)
  const named = db.updateTable('change_item').where('school_id', '=', school_id).where('order_id', '=', id)
  ctx.note({ target_kind: 'teaching.change', target_id: id, target_name: agreed ? '同意代课' : '谢绝代课' })
  if (!agreed) {
    await own.set({ state: order_states.declined, answer: text }).execute()
    await named.set({ open: false }).execute()
    const name = (await teacherNames(db, school_id, [me.user_id])).get(me.user_id) ?? ''
    await notifyTeachers(ctx, [order.applied_by], { source_ref: `declined:${id}`, text: `${name}不能代${date}的课，请另行安排` })
    return {}
  }
  const lesson = await requireLesson(ctx, date, lesson_day_id, id)
  await requireFree(ctx, [me.user_id], lesson, [lesson_day_id])
  const { teacher_ids, orig_teacher_ids, state, course_id, place_id } = lesson
  await named.set({ before: JSON.stringify({ teacher_ids, orig_teacher_ids, state, course_id, place_id }) }).execute()
  await own.set({ state: order_states.in_force, answer: text, applied_at: now }).execute()
  await writeCover(ctx, { kind: order.kind, lesson, from: from_teacher_id, to: me.user_id })
  return {}
}
