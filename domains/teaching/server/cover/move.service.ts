import { changeErrors } from '@campus/teaching/contract'
import type { changeApi } from '@campus/teaching/contract'
import { weekdayOf } from '@campus/calendar/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'
import { announce, requireFree } from './change.service.ts'
import { change_kinds, requireLesson, writeOrder } from './order.ts'
import type { Lesson } from './order.ts'
import { lockDays } from './undo.ts'

const [moved_in, moved_away] = [3, 4] as const

/**
 * 移课: a lesson takes place on another date or section, for this once; class, teachers and place are free there (chapter 50 rule 29).
 * @param of the order that comes into force with it
 * @throws Refusal 404, 409 sameDayTwice, 422 begun, noSection, classBusy, placeBusy, clash
 */
export async function moveLesson(ctx: TeachingCtx, asked: Input<typeof changeApi.move>, of?: string): Promise<{ order_id: string }> {
  const { db, school_id } = ctx
  const { date, lesson_day_id, to_date, to_section } = asked
  const { lesson, span, order } = await checkMove(ctx, asked, of)
  const row = {
    school_id, date: to_date, lesson_key: lesson.lesson_key, lesson_id: null, timetable_id: lesson.timetable_id,
      version_id: lesson.version_id,
    class_id: lesson.class_id, course_id: lesson.course_id, weekday: weekdayOf(to_date), section: to_section, span: lesson.span, ...span,
    place_id: lesson.place_id, teacher_ids: lesson.teacher_ids, orig_teacher_ids: lesson.orig_teacher_ids, state: moved_in, plan_date: null,
      rev: lesson.rev,
  }
  const made = await db.insertInto('lesson_day').values(row).onConflict(on => on.columns(['school_id', 'date', 'lesson_key',
    'section']).doNothing())
    .returning('lesson_day_id').executeTakeFirst()
  if (!made) throw fail(changeErrors.classBusy)
  const target = { ...lesson, date: to_date, lesson_day_id: made.lesson_day_id }
  const items = [...order.items, { lesson: target, from: null, to: lesson.teacher_ids[0] ?? null, created: true as const }]
  const order_id = await writeOrder(ctx, { ...order, items }, of)
  await db.updateTable('lesson_day').set({ state: moved_away }).where('school_id', '=', school_id).where('date', '=', date)
    .where('lesson_day_id', '=', lesson_day_id).execute()
  await announce(ctx, [date, to_date], [lesson], lesson.teacher_ids)
  return { order_id }
}

/** Holds both days and the lesson of a move. @throws Refusal 404, 409 sameDayTwice, 422 begun, noSection, classBusy, placeBusy, clash */
export async function checkMove(ctx: TeachingCtx, { date, lesson_day_id, to_date, to_section, reason }: Input<typeof changeApi.move>,
  of?: string) {
  await lockDays(ctx, [date, to_date])
  const lesson = await requireLesson(ctx, date, lesson_day_id, of)
  const span = await clockAt(ctx, lesson, to_date, to_section)
  if (span.begin_at <= ctx.now) throw fail(changeErrors.begun)
  await requireRoom(ctx, lesson, to_date, span)
  await requireFree(ctx, lesson.teacher_ids, span, [lesson_day_id])
  const teacher = lesson.teacher_ids[0] ?? null
  const items = [{ lesson, from: teacher, to: teacher, target: { date: to_date, section: to_section } }]
  return { lesson, span, order: { kind: change_kinds.move, reason, date, items } }
}

/** When the sections are by the bell of the class's grade on that date. @throws Refusal 422 noSection */
async function clockAt({ db, school_id }: TeachingCtx, { class_id, span }: Lesson, date: string,
  section: number): Promise<{ begin_at: Date; end_at: Date }> {
  const { rows } = await sql<{ begin_min: number; end_min: number }>`
    select min(b.begin_min)::int as begin_min, max(b.end_min)::int as end_min
    from teaching_class c join school_day_v d on d.school_id = ${school_id} and d.grade = c.grade and d.date = ${date}::date and d.is_school_day
    join bell_section_v b on b.school_id = ${school_id} and b.bell_id = d.bell_id and b.section between ${section} and ${section + span - 1}
    where c.school_id = ${school_id} and c.id = ${class_id} having count(*) = ${span}`.execute(db)
  const [found] = rows
  if (!found) throw fail(changeErrors.noSection, { errors: [{ field: 'to_section', msg: changeErrors.noSection.msg }] })
  const at = (minutes: number) => new Date(Date.parse(`${date}T00:00:00+08:00`) + minutes * 60_000)
  return { begin_at: at(found.begin_min), end_at: at(found.end_min) }
}

/** @throws Refusal 422 classBusy, placeBusy */
async function requireRoom({ db, school_id }: TeachingCtx, { lesson_day_id, class_id, place_id }: Lesson, date: string,
  { begin_at, end_at }: { begin_at: Date; end_at: Date }): Promise<void> {
  const met = await db.selectFrom('lesson_day').select(['class_id']).where('school_id', '=', school_id).where('date', '=', date)
    .where('begin_at', '<', end_at).where('end_at', '>', begin_at).where('state', 'not in', [4, 5]).where('lesson_day_id', '<>',
      lesson_day_id)
    .where(eb => eb.or([eb('class_id', '=', class_id), ...(place_id === null ? [] : [eb('place_id', '=', place_id)])])).execute()
  if (met.some(one => one.class_id === class_id)) throw fail(changeErrors.classBusy)
  if (met.length > 0) throw fail(changeErrors.placeBusy)
}
