import { teachingErrors, weeksName, weeksText } from '@campus/teaching/contract'
import type { Conflict, versionApi, View, Weeks } from '@campus/teaching/contract'
import { addDays } from '@campus/calendar/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { candidatesOf } from '../conflict/candidates.ts'
import { cellName, check, checkOne } from '../conflict/check.ts'
import type { World } from '../conflict/world.ts'
import type { Db, TeachingCtx } from '../db.ts'
import { placeNames, teacherNames } from '../plan/plan.queries.ts'
import { loadContext, placementOf, readLessons, weeksOfTerms } from './context.queries.ts'
import type { LessonFilter, LessonRow } from './context.queries.ts'
import { countLessons, linesOf, newestBeside, planLesson, publishedVersions, requireVersion, version_codes } from './version.queries.ts'
import type { VersionFacts } from './version.queries.ts'

const weekdays = [1, 2, 3, 4, 5]

/** Whose grid it is. */
export const filterOf = (view: View, target_id: string): LessonFilter => (view === 'class' ? { class_ids: [target_id] } : view === 'teacher' ? { teacher_ids: [target_id] } : { place_ids: [target_id] })

/** The grid of a class, a teacher or a place in a version, with what the checker finds of it. @throws Refusal 404 */
export async function readGrid({ db, school_id }: TeachingCtx, { id, view, target_id }: Input<typeof versionApi.grid>): Promise<Reply<typeof versionApi.grid>> {
  const version = await requireVersion(db, school_id, id)
  const target_name = await nameOfTarget(db, school_id, view, target_id)
  const own = await readLessons(db, school_id, [id], filterOf(view, target_id))
  const near = await readNear(db, school_id, version, own)
  const context = await loadContext(db, school_id, version.terms, [...own, ...near])
  const others = near.flatMap(row => placementOf(row) ?? [])
  const found = own.flatMap(row => { const at = placementOf(row); return at ? checkOne(at, others, context) : [] })
  const counts = (await countLessons(db, school_id, [id])).get(id) ?? { placed: 0, unplaced: 0 }
  return {
    version_id: id, rev: version.rev, is_draft: version.state === version_codes.draft, target_name, lines: linesOf(context.world, gradesOf(own, view)), weekdays: weekdaysOf(own, context.world),
    lessons: own.map(row => planLesson(row, context.world, context.names)), conflicts: once(found), total: counts.placed + counts.unplaced, unplaced: counts.unplaced,
  }
}

function gradesOf(rows: readonly LessonRow[], view: View): string[] {
  const counts = Map.groupBy(rows, row => row.grade)
  const grades = [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([grade]) => grade)
  return view === 'class' ? grades.slice(0, 1) : grades
}

/** Monday to Friday, and other days on which something stands. */
function weekdaysOf(rows: readonly LessonRow[], _world: World): number[] {
  return [...new Set([...weekdays, ...rows.flatMap(row => row.weekday ?? [])])].toSorted((a, b) => a - b)
}

const once = (found: readonly Conflict[]): Conflict[] => [...new Map(found.map(one => [one.id, one])).values()]

/**
 * Lessons that may meet these: of the same version, and of the newest versions of other timetables; by class, by walking class or a home
 * class of their pupils, by teacher and by place.
 */
export async function readNear(db: Db, school_id: number, version: VersionFacts, rows: readonly LessonRow[]): Promise<LessonRow[]> {
  const beside = await newestBeside(db, school_id, version)
  const walking = await db.selectFrom('teaching_class').select('id').where('school_id', '=', school_id)
    .where('semester_id', 'in', [0, ...version.terms.map(term => term.semester_id)]).where('kind', '<>', 1).execute()
  const own = [...new Set(rows.map(row => row.class_id))]
  const { rows: homes } = await sql<{ class_id: string }>`
    select distinct o.class_id::text as class_id from teaching_class_student w
    join teaching_class_member_v o on o.school_id = ${school_id} and o.user_id = w.student_id and o.valid_to is null
    where w.school_id = ${school_id} and w.valid_to is null and w.class_id = any(${own}::bigint[])`.execute(db)
  const filter = {
    class_ids: [...new Set([...own, ...walking.map(one => one.id), ...homes.map(one => one.class_id)])],
    teacher_ids: [...new Set(rows.flatMap(row => row.teacher_ids))],
    place_ids: [...new Set(rows.flatMap(row => row.place_id ?? row.home_place_id ?? []))],
  }
  return readLessons(db, school_id, [version.id, ...beside], filter)
}

/** @throws Refusal 404 */
export async function nameOfTarget(db: Db, school_id: number, view: View, target_id: string): Promise<string> {
  if (view === 'class') {
    const own = await db.selectFrom('teaching_class').select('name').where('school_id', '=', school_id).where('id', '=', target_id).executeTakeFirst()
    if (own) return own.name
  } else {
    const name = (await (view === 'teacher' ? teacherNames : placeNames)(db, school_id, [target_id])).get(target_id)
    if (name !== undefined) return name
  }
  throw fail(commonErrors.notFound)
}

/**
 * Every finding in a version, with other published timetables beside it.
 * @param from findings of dates from then on, with every version of those dates; absent: with the newest ones
 */
export async function checkWhole(db: Db, school_id: number, version: VersionFacts, from?: string): Promise<Conflict[]> {
  return checkRows(db, school_id, version, await readLessons(db, school_id, [version.id]), from)
}

/** The same of lessons as they would be. */
export async function checkRows(db: Db, school_id: number, version: VersionFacts, own: readonly LessonRow[],
  from?: string): Promise<Conflict[]> {
  const last = version.terms.at(-1)
  const beside = from === undefined || !last ? await newestBeside(db, school_id, version)
    : (await publishedVersions(db, school_id, { from, to: addDays(last.end_date, 1), not_of: version.timetable_id })).map(one => one.id)
  const all = [...own, ...(await readLessons(db, school_id, beside))]
  const ids = new Set(own.map(row => row.id))
  const found = check(all.flatMap(row => placementOf(row) ?? []), await loadContext(db, school_id, version.terms, all, from))
  return found.filter(({ a, b }) => ids.has(a ?? '') || ids.has(b ?? ''))
}

/** @throws Refusal 404 */
export async function checkVersion({ db, school_id }: TeachingCtx, id: string): Promise<Reply<typeof versionApi.check>> {
  const conflicts = await checkWhole(db, school_id, await requireVersion(db, school_id, id))
  const blocking = conflicts.filter(({ severity }) => severity === 1).length
  return { conflicts: conflicts.slice(0, 500), blocking, reminders: conflicts.length - blocking }
}

/** All cells for one lesson: free, swap or why not (chapter 50 §10.1). @throws Refusal 404 */
export async function readCandidates({ db, school_id }: TeachingCtx, { id, lesson_id }: Input<typeof versionApi.candidates>): Promise<Reply<typeof versionApi.candidates>> {
  const version = await requireVersion(db, school_id, id)
  const [row] = await readLessons(db, school_id, [id], { ids: [lesson_id] })
  if (!row) throw fail(commonErrors.notFound)
  const classmates = await readLessons(db, school_id, [id], { class_ids: [row.class_id] })
  const near = await readNear(db, school_id, version, classmates)
  const context = await loadContext(db, school_id, version.terms, near)
  const cells = weekdays.flatMap(weekday => linesOf(context.world, [row.grade]).map(({ section }) => ({ weekday, section })))
  const own = { ...row, place_id: row.place_id ?? row.home_place_id, weekday: row.weekday ?? 1, section: row.section ?? 1 }
  const from = row.weekday === null || row.section === null ? null : { weekday: row.weekday, section: row.section }
  return { list: candidatesOf(own, from, cells, near.filter(other => other.id !== row.id).flatMap(other => placementOf(other) ?? []), context) }
}

type Change = Reply<typeof versionApi.diff>['list'][number]

/** What a version does to the lessons of another one of the same timetable, by their keys (chapter 50 rule 23). @throws Refusal 404 */
export async function diffVersions({ db, school_id }: TeachingCtx, asked: Input<typeof versionApi.diff>): Promise<Reply<typeof versionApi.diff>> {
  const version = await requireVersion(db, school_id, asked.id)
  await requireVersion(db, school_id, asked.with)
  const [after, before] = [await readLessons(db, school_id, [asked.id]), await readLessons(db, school_id, [asked.with])]
  const names = { teacher: await teacherNames(db, school_id, [...after, ...before].flatMap(row => row.teacher_ids)), place: await placeNames(db, school_id, [...after, ...before].flatMap(row => row.place_id ?? [])) }
  return { list: changesBetween(before, after, weeksOfTerms(version.terms), names) }
}

/** Changes lesson by lesson. */
export function changesBetween(before: readonly LessonRow[], after: readonly LessonRow[], all: Weeks, names: { teacher: ReadonlyMap<string, string>; place: ReadonlyMap<string, string> }): Change[] {
  const cell = (row: LessonRow) => (row.weekday === null || row.section === null ? '未排' : cellName({ weekday: row.weekday, section: row.section }))
  const teachers = (row: LessonRow) => row.teacher_ids.map(id => names.teacher.get(id) ?? '').join('、')
  const room = (row: LessonRow) => (row.place_id === null ? '本班教室' : (names.place.get(row.place_id) ?? ''))
  const known = new Map(before.map(row => [row.lesson_key, row]))
  const found: Change[] = []
  for (const row of after) {
    const old = known.get(row.lesson_key)
    known.delete(row.lesson_key)
    const about = { class_name: row.class_name, course_name: row.course_name }
    if (!old) found.push({ ...about, change: 'added', before: '', after: cell(row) })
    else {
      if (cell(old) !== cell(row)) found.push({ ...about, change: 'moved', before: cell(old), after: cell(row) })
      if (old.teacher_ids.join() !== row.teacher_ids.join()) found.push({ ...about, change: 'teacher', before: teachers(old), after: teachers(row) })
      if (old.place_id !== row.place_id) found.push({ ...about, change: 'place', before: room(old), after: room(row) })
      if (weeksText(old.weeks) !== weeksText(row.weeks)) found.push({ ...about, change: 'weeks', before: weeksName(old.weeks, all), after: weeksName(row.weeks, all) })
    }
  }
  return [...found, ...[...known.values()].map((row): Change => ({ class_name: row.class_name, course_name: row.course_name, change: 'removed', before: cell(row), after: '' }))]
}

/** @throws Refusal 422 outsidePeriod */
export function requireInPeriod({ terms }: VersionFacts, date: string): { until: string } {
  const [first, last] = [terms.at(0), terms.at(-1)]
  if (!first || !last || date > last.end_date) throw fail(teachingErrors.outsidePeriod, { errors: [{ field: 'effective_on', msg: teachingErrors.outsidePeriod.msg }] })
  return { until: addDays(last.end_date, 1) }
}
