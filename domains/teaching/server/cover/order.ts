import { changeErrors } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { TeachingCtx } from '../db.ts'
import { notifyTeachers } from '../elective/notify.ts'

export type Lesson = Awaited<ReturnType<typeof requireLesson>>
/** `created`: the row is made by the order and goes with it; `to`: where a lesson will move to. */
type Item = { lesson: Lesson; from: string | null; to: string | null; created?: true; target?: { date: string; section: number } }
/** What an order changes; `date` gives it its number. */
export type Order = { kind: number; reason: string; date: string; items: readonly Item[] }
export const change_kinds = { cover: 1, swap: 2, move: 3, cancel: 4, study: 7, chain: 8 } as const
export const order_states = { in_force: 1, undone: 2, asked: 3, declined: 4, approval: 5, refused: 6 } as const

/**
 * A lesson that may still be changed, held until the transaction ends.
 * @param of an order that may be open for it
 * @throws Refusal 404, 409 sameDayTwice, 422 begun
 */
export async function requireLesson({ db, school_id, now }: TeachingCtx, date: string, lesson_day_id: string, of?: string) {
  const lesson = await db.selectFrom('lesson_day')
    .select(['lesson_day_id', 'date', 'begin_at', 'end_at', 'class_id', 'course_id', 'place_id', 'teacher_ids', 'orig_teacher_ids', 'state',
    'lesson_key', 'timetable_id', 'version_id', 'span', 'rev'])
    .where('school_id', '=', school_id).where('date', '=', date).where('lesson_day_id', '=', lesson_day_id).forUpdate().executeTakeFirst()
  if (!lesson) throw fail(commonErrors.notFound)
  if (lesson.begin_at <= now) throw fail(changeErrors.begun)
  const open = await db.selectFrom('change_item').select('order_id').where('school_id', '=', school_id).where('date', '=', date)
    .where('lesson_day_id', '=', lesson_day_id).where('open', '=', true).executeTakeFirst()
  if (open && open.order_id !== of) throw fail(changeErrors.sameDayTwice)
  return lesson
}

/**
 * An order in force with how its lessons were before.
 * @param of an order that has waited and now comes into force
 * @returns its id
 */
export async function writeOrder(ctx: TeachingCtx, order: Order, of?: string): Promise<string> {
  const { db, school_id, now } = ctx
  const { id, order_no } = of === undefined ? await numberOrder(ctx, order)
    : await db.updateTable('change_order').set({ state: order_states.in_force, applied_at: now }).where('school_id', '=', school_id)
      .where('id', '=', of).returning(['id', 'order_no']).executeTakeFirstOrThrow()
  for (const [at, { lesson, from, to, created, target }] of order.items.entries()) {
    const { teacher_ids, orig_teacher_ids, state, course_id, place_id } = lesson
    const before = JSON.stringify({ teacher_ids, orig_teacher_ids, state, course_id, place_id, created })
    const moved = target === undefined ? {} : { to_date: target.date, to_section: target.section }
    await db.insertInto('change_item')
      .values({ school_id, order_id: id, item_no: at + 1, date: lesson.date, lesson_day_id: lesson.lesson_day_id, from_teacher_id: from,
        to_teacher_id: to, before, ...moved })
      .onConflict(on => on.columns(['school_id', 'order_id', 'item_no']).doUpdateSet({ lesson_day_id: lesson.lesson_day_id,
        from_teacher_id: from, to_teacher_id: to, before })).execute()
  }
  ctx.note({ target_kind: 'teaching.change', target_id: id, target_name: order_no })
  return id
}

async function numberOrder({ db, school_id, now, me }: TeachingCtx, { kind, reason,
  date }: Order): Promise<{ id: string; order_no: string }> {
  const prefix = `TK${date.replaceAll('-', '')}`
  const { count } = await db.selectFrom('change_order').select(eb => eb.fn.countAll<number>().as('count'))
    .where('school_id', '=', school_id).where('order_no', '>=', prefix).where('order_no', '<', `${prefix}~`).executeTakeFirstOrThrow()
  const order_no = `${prefix}${String(Number(count) + 1).padStart(3, '0')}`
  const { id } = await db.insertInto('change_order').values({ school_id, order_no, kind, reason, applied_by: me.user_id, applied_at: now })
    .returning('id').executeTakeFirstOrThrow()
  return { id, order_no }
}

/** Who has to agree, by item, and whether the office decides after them. */
type Consent = { asked: readonly (string | null)[]; needs_approval: boolean }

/** An order that waits: its lessons stay as they are and take no other order meanwhile. */
export async function waitOrder(ctx: TeachingCtx, order: Order, { asked, needs_approval }: Consent): Promise<string> {
  const { db, school_id } = ctx
  const id = await writeOrder(ctx, order)
  const people = asked.flatMap(one => one ?? [])
  const state = people.length > 0 ? order_states.asked : order_states.approval
  await db.updateTable('change_order').set({ state, needs_approval }).where('school_id', '=', school_id).where('id', '=', id).execute()
  for (const [at, asked_id] of asked.entries()) {
    if (asked_id !== null) await db.updateTable('change_item').set({ asked_id }).where('school_id', '=', school_id)
      .where('order_id', '=', id).where('item_no', '=', at + 1).execute()
  }
  const words = order.kind === change_kinds.swap ? '与您对调' : '请您代'
  await notifyTeachers(ctx, people, { source_ref: `ask:${id}`, text: `${words}${order.date}的一节课，请答复是否同意` })
  return id
}
