import { changeErrors } from '@campus/teaching/contract'
import type { changeApi } from '@campus/teaching/contract'
import type { LeaveViews } from '@campus/leave/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, TeachingCtx, TeachingDb } from '../db.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { notifyClasses, notifyTeachers } from '../elective/notify.ts'
import { sayDayChanged } from '../lesson/day-changed.ts'
import type { Changed } from '../lesson/day-changed.ts'
import { change_kinds, requireLesson, waitOrder, writeOrder } from './order.ts'
import type { Lesson } from './order.ts'
import { lockDays, undoInside } from './undo.ts'

const lesson_states = { covered: 2, moved_in: 3, cancelled: 5, study: 7 } as const

/** Who of some teachers teaches elsewhere or is on leave in a span. */
async function busyAmong(db: Db, school_id: number, ids: readonly string[], { begin_at, end_at }: { begin_at: Date; end_at: Date },
  except: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select u.user_id::text as user_id from lesson_day d cross join lateral unnest(d.teacher_ids) as u(user_id)
    where d.school_id = ${school_id} and d.begin_at < ${end_at}::timestamptz and d.end_at > ${begin_at}::timestamptz and d.state not in (4, 5)
      and d.date between (${begin_at}::timestamptz at time zone 'Asia/Shanghai')::date and (${end_at}::timestamptz at time zone 'Asia/Shanghai')::date
      and d.lesson_day_id <> all(${[...except]}::bigint[]) and u.user_id = any(${[...ids]}::bigint[])
    union
    select user_id::text from leave_span_v where school_id = ${school_id} and begin_at < ${end_at}::timestamptz and end_at > ${begin_at}::timestamptz and user_id = any(${[...ids]}::bigint[])`
    .execute(asTables<TeachingDb & LeaveViews>(db))
  return rows.map(row => row.user_id)
}

/** @throws Refusal 422 clash */
export async function requireFree({ db, school_id }: TeachingCtx, ids: readonly string[], span: { begin_at: Date; end_at: Date },
  except: readonly string[]): Promise<void> {
  const [busy] = await busyAmong(db, school_id, ids, span, except)
  if (busy === undefined) return
  throw fail(changeErrors.clash, { params: { name: (await teacherNames(db, school_id, [busy])).get(busy) ?? '该教师' } })
}

/**
 * Another teacher, self-study under one, or no lesson that day; with `ask` the teacher has to agree first. The day is locked, so that of
 * many orders for one lesson one wins (50-A17).
 * @param of the order that comes into force with it
 * @throws Refusal 404, 409 sameDayTwice, 422 begun, clash, sameTeacher
 */
export async function coverLesson(ctx: TeachingCtx,
  { date, lesson_day_id, kind, teacher_id, absent_id, reason, ask }: Input<typeof changeApi.cover>,
  of?: string): Promise<{ order_id: string }> {
  await lockDays(ctx, [date])
  const lesson = await requireLesson(ctx, date, lesson_day_id, of)
  if (absent_id !== null && !lesson.teacher_ids.includes(absent_id)) throw fail(commonErrors.notFound)
  const from = absent_id ?? lesson.teacher_ids[0] ?? null
  if (kind !== change_kinds.cancel && teacher_id !== null) {
    await requireStaff(ctx, [teacher_id])
    if (lesson.teacher_ids.includes(teacher_id)) throw fail(changeErrors.sameTeacher)
    await requireFree(ctx, [teacher_id], lesson, [lesson_day_id])
  }
  const to = kind === change_kinds.cancel ? null : teacher_id
  const order = { kind, reason, date, items: [{ lesson, from, to }] }
  if (ask && to !== null) return { order_id: await waitOrder(ctx, order, { asked: [to], needs_approval: false }) }
  const order_id = await writeOrder(ctx, order, of)
  await writeCover(ctx, { kind, lesson, from, to })
  return { order_id }
}

type Cover = { kind: number; lesson: Lesson; from: string | null; to: string | null }

/** Puts the other teacher into the lesson, or lets it fall out, and says so. */
async function writeCover(ctx: TeachingCtx, { kind, lesson, from, to }: Cover): Promise<void> {
  const { db, school_id } = ctx
  const { date, lesson_day_id } = lesson
  const others = lesson.teacher_ids.filter(id => id !== from)
  const values = to === null ? { state: lesson_states.cancelled }
    : { state: kind === change_kinds.study ? lesson_states.study : lesson_states.covered, teacher_ids: [to, ...others],
      orig_teacher_ids: lesson.orig_teacher_ids ?? lesson.teacher_ids }
  await db.updateTable('lesson_day').set(values).where('school_id', '=', school_id).where('date', '=', date)
    .where('lesson_day_id', '=', lesson_day_id).execute()
  if (from !== null) await settleNeed(ctx, date, lesson_day_id, from, to === null ? 3 : 1)
  await announce(ctx, [date], [lesson], [from, to])
}

/**
 * 对调 of two lessons of one class, for these dates alone (chapter 50 rule 30). @throws Refusal 404, 409 sameDayTwice, 422 begun, clash,
 * swapSelf, swapClass
 */
export async function swapLessons(ctx: TeachingCtx, asked: Input<typeof changeApi.swap>, of?: string): Promise<{ order_id: string }> {
  const { db, school_id } = ctx
  const { one, other, order } = await checkSwap(ctx, asked, of)
  const order_id = await writeOrder(ctx, order, of)
  for (const [into, content] of [[one, other], [other, one]] as const) {
    const { course_id, teacher_ids, place_id } = content
    await db.updateTable('lesson_day')
      .set({ course_id, teacher_ids, place_id, state: lesson_states.moved_in, orig_teacher_ids: into.orig_teacher_ids ?? into.teacher_ids })
      .where('school_id', '=', school_id).where('date', '=', into.date).where('lesson_day_id', '=', into.lesson_day_id).execute()
  }
  await announce(ctx, [asked.date, asked.other_date], [one, other], [...one.teacher_ids, ...other.teacher_ids])
  return { order_id }
}

/** Holds both days and lessons of a swap. @throws Refusal 404, 409 sameDayTwice, 422 begun, clash, swapSelf, swapClass */
export async function checkSwap(ctx: TeachingCtx, asked: Input<typeof changeApi.swap>, of?: string) {
  await lockDays(ctx, [asked.date, asked.other_date])
  const [one, other] = [await requireLesson(ctx, asked.date, asked.lesson_day_id, of),
    await requireLesson(ctx, asked.other_date, asked.other_id, of)]
  if (asked.lesson_day_id === asked.other_id) throw fail(changeErrors.swapSelf)
  if (one.class_id !== other.class_id) throw fail(changeErrors.swapClass)
  const pair = [one.lesson_day_id, other.lesson_day_id]
  await requireFree(ctx, one.teacher_ids, other, pair)
  await requireFree(ctx, other.teacher_ids, one, pair)
  const [giver = null, taker = null] = [one.teacher_ids[0], other.teacher_ids[0]]
  const items = [{ lesson: one, from: giver, to: taker }, { lesson: other, from: taker, to: giver }]
  return { one, other, order: { kind: change_kinds.swap, reason: asked.reason, date: asked.date, items } }
}

/** @throws Refusal 404 when one of them does not work here */
export async function requireStaff({ db, school_id }: TeachingCtx, ids: readonly string[]): Promise<void> {
  const known = await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).where('user_id', 'in', [...ids])
    .execute()
  if (known.length < new Set(ids).size) throw fail(commonErrors.notFound)
}

/** What an absence leaves open is arranged (1) or falls out (3). */
export async function settleNeed({ db, school_id, now }: TeachingCtx, date: string, lesson_day_id: string, teacher_id: string,
  state: 1 | 3): Promise<void> {
  await db.updateTable('cover_need').set({ state, updated_at: now }).where('school_id', '=', school_id).where('date', '=', date)
    .where('lesson_day_id', '=', lesson_day_id).where('teacher_id', '=', teacher_id).execute()
}

/** Says which days, classes, places and teachers are different now. */
export async function announce(ctx: TeachingCtx, dates: readonly string[], lessons: readonly Lesson[],
  people: readonly (string | null)[]): Promise<void> {
  await announceChanged(ctx, {
    dates: [...new Set(dates)], class_ids: [...new Set(lessons.map(one => one.class_id))],
    place_ids: [...new Set(lessons.flatMap(one => one.place_id ?? []))], teacher_ids: [...new Set(people.flatMap(one => one ?? []))],
  })
}

/** Teachers, pupils and families hear of it; open pages and other domains as well (chapter 50 §7). */
async function announceChanged(ctx: TeachingCtx, changed: Changed): Promise<void> {
  const { dates, class_ids, teacher_ids } = changed
  const source_ref = `change:${dates.join()}:${[...class_ids, ...teacher_ids].join()}:${ctx.now.getTime()}`
  await notifyTeachers(ctx, teacher_ids, { source_ref, text: `${dates.join('、')} 您的课有调整` })
  await notifyClasses(ctx, class_ids, { source_ref: `${source_ref}:c`, text: `${dates.join('、')} 班级的课有调整` })
  await sayDayChanged(ctx, changed)
}

/** Before the lesson begins. @throws Refusal 404, 409 undone, 422 begun */
export async function undoChange(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { me } = ctx
  const changed = await undoInside(ctx, id, me.user_id)
  ctx.note({ target_kind: 'teaching.change', target_id: id, target_name: '撤销' })
  if (changed.class_ids.length > 0) await announceChanged(ctx, changed)
  return {}
}

/**
 * Takes back what one 一键安排 arranged and has not begun. @throws Refusal 404, 409 undone when nothing of it is left
 */
export async function undoAuto(ctx: TeachingCtx, id: string): Promise<Reply<typeof changeApi.undoAuto>> {
  const { db, school_id, me, now } = ctx
  const orders = await db.selectFrom('change_order').select(['id', 'state']).where('school_id', '=', school_id).where('command_id', '=', id)
    .orderBy('id').execute()
  if (orders.length === 0) throw fail(commonErrors.notFound)
  const open = orders.filter(one => one.state === 1)
  if (open.length === 0) throw fail(changeErrors.undone)
  const begun = await db.selectFrom('change_item as i').innerJoin('lesson_day as d', on => on.onRef('d.lesson_day_id', '=',
    'i.lesson_day_id').onRef('d.date', '=', 'i.date').on('d.school_id', '=', school_id))
    .select('i.order_id').where('i.school_id', '=', school_id).where('i.order_id', 'in', open.map(one => one.id)).where('d.begin_at', '<=',
      now).execute()
  const late = new Set(begun.map(one => one.order_id))
  const free = open.filter(one => !late.has(one.id))
  for (const one of free) await announceChanged(ctx, await undoInside(ctx, one.id, me.user_id))
  ctx.note({ target_kind: 'teaching.change', target_id: id, target_name: `撤销一键安排 ${free.length}单` })
  return { undone: free.length, begun: late.size }
}

/** 不需要: the lesson goes on without the absent teacher being replaced. @throws Refusal 404, 409 settled */
export async function dismissNeed(ctx: TeachingCtx,
  { date, lesson_day_id, teacher_id }: Input<typeof changeApi.dismiss>): Promise<Reply<typeof changeApi.dismiss>> {
  const { db, school_id, now } = ctx
  await lockDays(ctx, [date])
  const own = db.selectFrom('cover_need').select('state').where('school_id', '=', school_id).where('date', '=', date)
    .where('lesson_day_id', '=', lesson_day_id).where('teacher_id', '=', teacher_id)
  const need = await own.forUpdate().executeTakeFirst()
  if (!need) throw fail(commonErrors.notFound)
  if (need.state !== 0) throw fail(changeErrors.settled)
  await db.updateTable('cover_need').set({ state: 2, updated_at: now }).where('school_id', '=', school_id).where('date', '=', date)
    .where('lesson_day_id', '=', lesson_day_id).where('teacher_id', '=', teacher_id).execute()
  ctx.note({ target_kind: 'teaching.change', target_id: lesson_day_id, target_name: '不需要代课' })
  return {}
}
