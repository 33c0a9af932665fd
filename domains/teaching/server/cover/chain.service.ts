import { changeErrors } from '@campus/teaching/contract'
import type { changeApi, Chain, DayLesson } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { readDayLessons } from '../lesson/lesson.service.ts'
import { announce, requireFree, requireStaff, settleNeed } from './change.service.ts'
import { change_kinds, requireLesson, waitOrder, writeOrder } from './order.ts'
import { propose } from './proposal.ts'
import type { Candidate, Wanted } from './proposal.ts'
import { lockDays } from './undo.ts'

type Span = { begin: number; end: number }
const covered = 2
const most_chains = 5
const meets = (a: Span, b: Span) => a.begin < b.end && b.begin < a.end
const spanOf = (lesson: DayLesson): Span => ({ begin: Date.parse(lesson.begin_at), end: Date.parse(lesson.end_at) })

/**
 * Who could take a lesson if somebody free took his own lesson meanwhile: A ← B ← C, the fittest first (chapter 50 rule 31).
 * @param day every lesson of the date with its subject and grade
 */
export function findChains(wanted: Wanted, candidates: readonly Candidate[], day: ReadonlyMap<string, Wanted>): Chain[] {
  const span = spanOf(wanted.lesson)
  const away = new Set(wanted.lesson.teachers.map(one => one.user_id))
  const found = candidates.flatMap(one => {
    const busy = one.today.filter(other => meets(other, span))
    const [own] = busy
    if (busy.length !== 1 || !own || own.state !== 1) return []
    const first = propose(wanted, { ...one, today: one.today.filter(other => other !== own) })
    const inner = day.get(own.lesson_day_id)
    if (first === null || inner === undefined || !one.subjects.has(wanted.subject)) return []
    const seconds = candidates.filter(other => other !== one && !away.has(other.user_id)).flatMap(other => propose(inner, other) ?? [])
    const [second] = seconds.toSorted((a, b) => b.score - a.score || Number(a.user_id) - Number(b.user_id))
    if (!second) return []
    const text = `${first.user_name}代本节，${second.user_name}代${first.user_name}的${inner.lesson.class_name} ${inner.lesson.course_name}`
    return [{ teacher_ids: [first.user_id, second.user_id], text, score: first.score + second.score }]
  })
  return found.toSorted((a, b) => b.score - a.score || Number(a.teacher_ids[0]) - Number(b.teacher_ids[0])).slice(0, most_chains)
}

/** Every lesson of a date with its subject and grade. */
export async function readDay(db: Db, school_id: number, date: string): Promise<Map<string, Wanted>> {
  const lessons = await readDayLessons(db, school_id, sql`d.date = ${date}::date and d.state not in (4, 5)`)
  const courses = new Map((await db.selectFrom('course').select(['id', 'subject']).where('school_id', '=', school_id).execute())
    .map(one => [one.id, one.subject]))
  const classes = await db.selectFrom('teaching_class').select(['id', 'grade']).where('school_id', '=', school_id)
    .where('id', 'in', ['0', ...new Set(lessons.map(one => one.class_id))]).execute()
  const grades = new Map(classes.map(one => [one.id, one.grade]))
  return new Map(lessons.map(lesson => [lesson.lesson_day_id, { lesson, subject: courses.get(lesson.course_id) ?? '',
    grade: grades.get(lesson.class_id) ?? '' }]))
}

/**
 * 链式: the first teacher takes the lesson, each further one takes what the one before him would have taught then; all of it in one order.
 * With `ask` each of them has to agree first.
 * @param of the order that comes into force with it
 * @throws Refusal 404, 409 sameDayTwice, 422 begun, clash, sameTeacher, noOwnLesson
 */
export async function coverChain(ctx: TeachingCtx, { date, lesson_day_id, absent_id, teacher_ids,
  reason, ask }: Input<typeof changeApi.chain>, of?: string): Promise<{ order_id: string }> {
  await lockDays(ctx, [date])
  const lesson = await requireLesson(ctx, date, lesson_day_id, of)
  const absent = absent_id ?? lesson.teacher_ids[0] ?? null
  if (absent !== null && !lesson.teacher_ids.includes(absent)) throw fail(commonErrors.notFound)
  const [first = ''] = teacher_ids
  if (new Set([...teacher_ids, ...lesson.teacher_ids]).size < teacher_ids.length + lesson.teacher_ids.length) throw fail(changeErrors.sameTeacher)
  await requireStaff(ctx, teacher_ids)
  const links = [{ lesson, from: absent, to: first }]
  for (const [at, to] of teacher_ids.slice(1).entries()) {
    const from = teacher_ids[at] ?? ''
    const own = await ownLesson(ctx, { date, teacher_id: from, at: links.at(-1)?.lesson ?? lesson, of })
    links.push({ lesson: own, from, to })
  }
  const freed = links.map(one => one.lesson.lesson_day_id)
  for (const link of links) await requireFree(ctx, [link.to], link.lesson, freed)
  const order = { kind: change_kinds.chain, reason, date, items: links }
  if (ask) return { order_id: await waitOrder(ctx, order, { asked: teacher_ids, needs_approval: false }) }
  const order_id = await writeOrder(ctx, order, of)
  for (const { lesson: one, from, to } of links) {
    const values = { state: covered, teacher_ids: [to, ...one.teacher_ids.filter(id => id !== from)],
      orig_teacher_ids: one.orig_teacher_ids ?? one.teacher_ids }
    await ctx.db.updateTable('lesson_day').set(values).where('school_id', '=', ctx.school_id).where('date', '=', date)
      .where('lesson_day_id', '=', one.lesson_day_id).execute()
  }
  if (absent !== null) await settleNeed(ctx, date, lesson_day_id, absent, 1)
  await announce(ctx, [date], links.map(one => one.lesson), links.flatMap(one => [one.from, one.to]))
  return { order_id }
}

/** The one lesson that a teacher has at the time of another one. @throws Refusal 422 noOwnLesson, begun, 409 sameDayTwice */
async function ownLesson(ctx: TeachingCtx,
  { date, teacher_id, at, of }: { date: string; teacher_id: string; at: { begin_at: Date; end_at: Date }; of: string | undefined }) {
  const { db, school_id } = ctx
  const found = await db.selectFrom('lesson_day').select('lesson_day_id').where('school_id', '=', school_id).where('date', '=', date)
    .where('begin_at', '<', at.end_at).where('end_at', '>', at.begin_at).where('state', 'not in', [4, 5])
    .where(sql<boolean>`${teacher_id}::bigint = any(teacher_ids)`).execute()
  const [own] = found
  if (found.length !== 1 || !own) throw fail(changeErrors.noOwnLesson)
  return requireLesson(ctx, date, own.lesson_day_id, of)
}
