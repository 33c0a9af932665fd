import { allWeeks, weeksOfRange } from '@campus/teaching/contract'
import type { Weeks } from '@campus/teaching/contract'
import { mondayOf, weekOf } from '@campus/calendar/contract'
import { sql } from 'kysely'
import type { Context } from '../conflict/check.ts'
import { add, worldOf } from '../conflict/world.ts'
import type { Bell, GradeDay, Placement, RunDay, World } from '../conflict/world.ts'
import type { Db } from '../db.ts'
import { placeNames, teacherNames } from '../plan/plan.queries.ts'

/** A term that a timetable covers; `term` 0: weeks are plain numbers, else term × 100 + week. */
export type CoveredTerm = { semester_id: number; term: number; begin_date: string; end_date: string; name: string }
/** A lesson of a version with the names that sentences need. */
export type LessonRow = {
  id: string; lesson_key: string; teaching_id: string; class_id: string; class_name: string; grade: string; home_place_id: string | null; course_id: string; course_name: string; color: string
  weekday: number | null; section: number | null; span: number; weeks: Weeks; place_id: string | null; teacher_ids: string[]; locked: boolean
}
/** Kinds of places that several classes use at once, and how many (chapter 50 rule 18). */
const shared_kinds: ReadonlyMap<number, number> = new Map([[15, 6], [16, 6]])
const per_term = 100

/** The terms of a timetable: its own, or both of its school year. */
export async function coveredTerms(db: Db, school_id: number, { semester_id, school_year }: { semester_id: number | null; school_year: string }): Promise<CoveredTerm[]> {
  const rows = await db.selectFrom('semester_v').select(['semester_id', 'term', 'begin_date', 'end_date', 'name']).where('school_id', '=', school_id)
    .$if(semester_id !== null, query => query.where('semester_id', '=', semester_id ?? 0)).$if(semester_id === null, query => query.where('school_year', '=', school_year)).orderBy('begin_date').execute()
  return rows.map(({ term, ...row }) => ({ ...row, term: semester_id === null ? Number(term) : 0 }))
}

/** Every week of the terms as the timetable numbers them. */
export function weeksOfTerms(terms: readonly CoveredTerm[]): Weeks {
  return terms.flatMap(({ term, begin_date, end_date }) => allWeeks(weekOf(mondayOf(end_date), begin_date), term))
}

/** The dates of the terms from a day on as the checker takes them. */
export async function loadWorld(db: Db, school_id: number, terms: readonly CoveredTerm[], from = '0001-01-01'): Promise<World> {
  const bells = await loadBells(db, school_id)
  const days = new Map<string, Map<string, GradeDay>>()
  for (const { semester_id, term } of terms) {
    const rows = await db.selectFrom('school_day_v').select(['date', 'grade', 'plan_weekday', 'plan_week_no', 'bell_id', 'closed']).where('school_id', '=', school_id).where('semester_id', '=', semester_id)
      .where('is_school_day', '=', true).where('date', '>=', from).where('grade', '<>', '00').where('plan_weekday', 'is not', null).orderBy('date').execute()
    for (const { date, grade, plan_weekday, plan_week_no, bell_id, closed } of rows) {
      const bell = bells.get(bell_id ?? '')
      if (!bell || plan_weekday === null || plan_week_no === null) continue
      const grades = days.get(date) ?? new Map<string, GradeDay>()
      grades.set(grade, { weekday: plan_weekday, week: term * per_term + plan_week_no, bell, closed: spansOf(closed) })
      days.set(date, grades)
    }
  }
  return worldOf([...days].map(([date, grades]): RunDay => ({ date, grades })), weeksOfTerms(terms))
}

async function loadBells(db: Db, school_id: number): Promise<Map<string, Bell>> {
  const rows = await db.selectFrom('bell_section_v').select(['bell_id', 'section', 'name', 'begin_min', 'end_min']).where('school_id', '=', school_id).where('section', 'is not', null).execute()
  const lists = new Map<string, [number, { begin: number; end: number; name: string }][]>()
  for (const { bell_id, section, name, begin_min, end_min } of rows) if (section !== null) add(lists, bell_id, [section, { begin: begin_min, end: end_min, name }])
  return new Map([...lists].map(([id, list]) => [id, new Map(list)]))
}

/** Minutes of a multirange. */
function spansOf(range: string): { begin: number; end: number }[] {
  return [...range.matchAll(/\[(\d+),(\d+)\)/gu)].map(([, begin, end]) => ({ begin: Number(begin), end: Number(end) }))
}

/** Which lessons of a version; absent: all. */
export type LessonFilter = { ids?: readonly string[]; class_ids?: readonly string[]; teacher_ids?: readonly string[]; place_ids?: readonly string[] }

/** Lessons of versions, placed or not. Filters add up: a lesson that meets one of them is read. */
export async function readLessons(db: Db, school_id: number, version_ids: readonly string[], { ids, class_ids, teacher_ids, place_ids }: LessonFilter = {}): Promise<LessonRow[]> {
  if (version_ids.length === 0) return []
  const parts = [
    ...(ids ? [sql<boolean>`l.id = any(${[...ids]}::bigint[])`] : []), ...(class_ids ? [sql<boolean>`l.class_id = any(${[...class_ids]}::bigint[])`] : []),
    ...(teacher_ids ? [sql<boolean>`l.teacher_ids && ${[...teacher_ids]}::bigint[]`] : []), ...(place_ids ? [sql<boolean>`coalesce(l.place_id, c.home_place_id) = any(${[...place_ids]}::bigint[])`] : []),
  ]
  const which = parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` or `)})`
  const { rows } = await sql<Omit<LessonRow, 'weeks'> & { weeks: string }>`
    select l.id::text as id, l.lesson_key::text as lesson_key, l.teaching_id::text as teaching_id, l.class_id::text as class_id, c.name as class_name, c.grade, c.home_place_id::text as home_place_id,
      l.course_id::text as course_id, k.course_name, k.color, l.weekday::int as weekday, l.section::int as section, l.span::int as span, l.weeks::text as weeks, l.place_id::text as place_id,
      l.teacher_ids::text[] as teacher_ids, l.locked
    from lesson l join teaching_class c on c.school_id = ${school_id} and c.id = l.class_id join course k on k.school_id = ${school_id} and k.id = l.course_id
    where l.school_id = ${school_id} and l.version_id = any(${[...version_ids]}::bigint[]) and ${which} order by l.id`.execute(db)
  return rows.map(row => ({ ...row, weeks: weeksOfRange(row.weeks) }))
}

/** The lesson as the checker takes it; null where it is not placed. */
export function placementOf(row: LessonRow): Placement | null {
  const { weekday, section } = row
  return weekday === null || section === null ? null : { ...row, place_id: row.place_id ?? row.home_place_id, weekday, section }
}

/** Everything the checker needs about these lessons. */
export async function loadContext(db: Db, school_id: number, terms: readonly CoveredTerm[], lessons: readonly LessonRow[], from?: string): Promise<Context> {
  const world = await loadWorld(db, school_id, terms, from)
  const place_ids = [...new Set(lessons.flatMap(row => row.place_id ?? row.home_place_id ?? []))]
  const places = place_ids.length === 0 ? [] : await db.selectFrom('place_live_v').select(['place_id', 'place_kind', 'capacity']).where('school_id', '=', school_id).where('place_id', 'in', place_ids).execute()
  const members = await loadRosters(db, school_id, lessons)
  const blocked = await db.selectFrom('teaching_unavailable').select(['target_kind', 'target_id', 'weekday', 'section']).where('school_id', '=', school_id).where('semester_id', 'in', [0, ...terms.map(term => term.semester_id)]).execute()
  const unavailable = new Map<string, Set<string>>()
  for (const { target_kind, target_id, weekday, section } of blocked) {
    const key = `${target_kind} ${target_id}`
    unavailable.set(key, (unavailable.get(key) ?? new Set<string>()).add(`${weekday}-${section}`))
  }
  return {
    world,
    names: { teacher: await teacherNames(db, school_id, lessons.flatMap(row => row.teacher_ids)), place: await placeNames(db, school_id, place_ids) },
    limits: new Map(places.flatMap(({ place_id, place_kind }) => { const limit = shared_kinds.get(place_kind); return limit === undefined ? [] : [[place_id, limit] as const] })),
    capacity: new Map(places.flatMap(({ place_id, capacity }) => (capacity === null ? [] : [[place_id, capacity] as const]))),
    unavailable, ...members,
  }
}

/** Sizes of classes, and how many pupils a walking class shares with another class. */
async function loadRosters(db: Db, school_id: number, lessons: readonly LessonRow[]): Promise<Pick<Context, 'sizes' | 'shared'>> {
  const ids = [...new Set(lessons.map(row => row.class_id))]
  const none = { sizes: new Map<string, number>(), shared: () => 0 }
  if (ids.length === 0) return none
  const { rows: sizes } = await sql<{ class_id: string; n: number }>`
    select c.id::text as class_id, count(*)::int as n from teaching_class c join live_student s on s.school_id = ${school_id} and s.dept_id = c.dept_id
    where c.school_id = ${school_id} and c.id = any(${ids}::bigint[]) group by c.id`.execute(db)
  const { rows: pairs } = await sql<{ a: string; b: string; n: number }>`
    select w.class_id::text as a, o.class_id::text as b, count(*)::int as n
    from teaching_class_student w join teaching_class_member_v o on o.school_id = ${school_id} and o.user_id = w.student_id and o.class_id <> w.class_id and o.valid_to is null
    where w.school_id = ${school_id} and w.valid_to is null and w.class_id = any(${ids}::bigint[]) and o.class_id = any(${ids}::bigint[]) group by w.class_id, o.class_id`.execute(db)
  const shared = new Map(pairs.map(({ a, b, n }) => [`${a} ${b}`, n]))
  return { sizes: new Map(sizes.map(({ class_id, n }) => [class_id, n])), shared: (a, b) => shared.get(`${a} ${b}`) ?? shared.get(`${b} ${a}`) ?? 0 }
}
