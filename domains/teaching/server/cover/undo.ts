import { changeErrors } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Changed } from '../lesson/day-changed.ts'

const in_force = 1
/** In force, or waiting for consent or approval. */
const undoable: readonly number[] = [in_force, 3, 5]
type Place = { db: Db; school_id: number; now: Date }
/** A lesson as it was before a change. */
const Before = z.object({ teacher_ids: z.array(z.string()), orig_teacher_ids: z.array(z.string()).nullable(), state: z.number(),
  course_id: z.string(), place_id: z.string().nullable(), created: z.boolean().optional() })

/** The rows that every dated change of a day locks first, in their order (chapter 50 rule 29). */
export async function lockDays({ db, school_id }: Pick<Place, 'db' | 'school_id'>, dates: readonly string[]): Promise<void> {
  for (const date of [...new Set(dates)].toSorted()) {
    await db.insertInto('day_lock').values({ school_id, date }).onConflict(on => on.columns(['school_id', 'date']).doNothing()).execute()
    await db.selectFrom('day_lock').select('date').where('school_id', '=', school_id).where('date', '=', date).forUpdate().execute()
  }
}

/**
 * Takes an order back: its lessons are what they were, needs are open again. One that waits has changed nothing yet.
 * @param by null: the leave was cancelled
 * @returns what is different now
 * @throws Refusal 404, 409 undone, 422 begun
 */
export async function undoInside(place: Place, order_id: string, by: string | null): Promise<Changed> {
  const { db, school_id, now } = place
  const items = await db.selectFrom('change_item').select(['item_no', 'date', 'lesson_day_id', 'from_teacher_id', 'to_teacher_id',
    'before'])
    .where('school_id', '=', school_id).where('order_id', '=', order_id).orderBy('item_no').execute()
  await lockDays(place, items.map(item => item.date))
  const order = await db.selectFrom('change_order').select('state').where('school_id', '=', school_id).where('id', '=', order_id)
    .forUpdate().executeTakeFirst()
  if (!order) throw fail(commonErrors.notFound)
  if (!undoable.includes(order.state)) throw fail(changeErrors.undone)
  const turned = order.state === in_force ? items : []
  const lessons = []
  for (const { date, lesson_day_id, from_teacher_id, before } of turned) {
    const lesson = await db.selectFrom('lesson_day').select(['begin_at', 'class_id', 'place_id']).where('school_id', '=', school_id)
      .where('date', '=', date)
      .where('lesson_day_id', '=', lesson_day_id).forUpdate().executeTakeFirst()
    if (lesson && lesson.begin_at <= now) throw fail(changeErrors.begun)
    if (lesson) lessons.push(lesson)
    const { created, ...values } = Before.parse(before)
    if (created) {
      await db.deleteFrom('lesson_day').where('school_id', '=', school_id).where('date', '=', date).where('lesson_day_id', '=',
        lesson_day_id).execute()
      continue
    }
    await db.updateTable('lesson_day').set(values)
      .where('school_id', '=', school_id).where('date', '=', date).where('lesson_day_id', '=', lesson_day_id).execute()
    if (from_teacher_id === null) continue
    await db.updateTable('cover_need').set({ state: 0, updated_at: now }).where('school_id', '=', school_id).where('date', '=', date)
      .where('lesson_day_id', '=', lesson_day_id)
      .where('teacher_id', '=', from_teacher_id).where('state', 'in', [1, 3]).execute()
  }
  await db.updateTable('change_item').set({ open: false }).where('school_id', '=', school_id).where('order_id', '=', order_id).execute()
  await db.updateTable('change_order').set({ state: 2, undone_by: by, undone_at: now }).where('school_id', '=', school_id)
    .where('id', '=', order_id).execute()
  return {
    dates: [...new Set(items.map(item => item.date))], class_ids: [...new Set(lessons.map(one => one.class_id))],
    place_ids: [...new Set(lessons.flatMap(one => one.place_id ?? []))],
    teacher_ids: [...new Set(items.flatMap(item => [item.from_teacher_id ?? [], item.to_teacher_id ?? []].flat()))],
  }
}
