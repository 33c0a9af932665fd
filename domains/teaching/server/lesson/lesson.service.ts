import { addDays, clockOf, mondayOf, weekdayOf, weekKindOf } from '@campus/calendar/contract'
import type { DayLesson, lessonApi, PlanLesson, TargetGroup, View } from '@campus/teaching/contract'
import { schoolDay } from '@campus/school/server'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { listTerms, requireTerm, named, placeNames, teacherNames } from '../plan/plan.queries.ts'
import { loadWorld, readLessons } from '../timetable/context.queries.ts'
import { filterOf, nameOfTarget } from '../timetable/look.service.ts'
import { linesOf, planLesson, publishedVersions, requireVersion } from '../timetable/version.queries.ts'

const days_of_week = 7
type Row = Omit<DayLesson, 'begin_at' | 'end_at' | 'teachers' | 'place_name'> & { begin_at: Date; end_at: Date; teacher_ids: string[] }

/** Lessons of dates that meet a condition on `d` (lesson_day), in their order. */
export async function readDayLessons(db: Db, school_id: number, which: RawBuilder<unknown>): Promise<DayLesson[]> {
  const { rows } = await sql<Row>`
    select d.lesson_day_id::text as lesson_day_id, d.date::text as date, d.weekday::int as weekday, d.section::int as section, d.span::int as span, d.begin_at, d.end_at, d.class_id::text as class_id, c.name as class_name,
      d.course_id::text as course_id, k.course_name, k.color, d.place_id::text as place_id, d.teacher_ids::text[] as teacher_ids, d.state::int as state, d.plan_date::text as plan_date
    from lesson_day d join teaching_class c on c.school_id = ${school_id} and c.id = d.class_id join course k on k.school_id = ${school_id} and k.id = d.course_id
    where d.school_id = ${school_id} and ${which} order by d.date, d.begin_at, c.grade, c.name`.execute(db)
  const names = await teacherNames(db, school_id, rows.flatMap(row => row.teacher_ids))
  const places = await placeNames(db, school_id, rows.flatMap(row => row.place_id ?? []))
  return rows.map(({ teacher_ids, begin_at, end_at, ...row }) => ({
    ...row, begin_at: begin_at.toISOString(), end_at: end_at.toISOString(), teachers: named(teacher_ids, names), place_name: row.place_id === null ? null : (places.get(row.place_id) ?? null),
  }))
}

function targeted(view: View, target_id: string): RawBuilder<unknown> {
  if (view === 'class') return sql`d.class_id = ${target_id}`
  return view === 'teacher' ? sql`${target_id}::bigint = any(d.teacher_ids)` : sql`d.place_id = ${target_id}`
}

/** Lessons of at most 31 days. @throws Refusal 404 */
export async function listDayLessons({ db, school_id }: TeachingCtx, { from, to, class_id, teacher_id, place_id }: Input<typeof lessonApi.list>): Promise<Reply<typeof lessonApi.list>> {
  const asked = [['class', class_id], ['teacher', teacher_id], ['place', place_id]] as const
  const parts: RawBuilder<unknown>[] = [sql`d.date between ${from}::date and ${to}::date`]
  for (const [view, id] of asked) {
    if (id === undefined) continue
    await nameOfTarget(db, school_id, view, id)
    parts.push(targeted(view, id))
  }
  return { list: await readDayLessons(db, school_id, sql.join(parts, sql` and `)) }
}

/** A dated week of a class, a teacher or a place: what really takes place. @throws Refusal 404 */
export async function readWeek({ db, school_id }: TeachingCtx, { view, target_id, from }: Input<typeof lessonApi.week>): Promise<Reply<typeof lessonApi.week>> {
  const target_name = await nameOfTarget(db, school_id, view, target_id)
  const monday = mondayOf(from)
  const dates = Array.from({ length: days_of_week }, (_, at) => addDays(monday, at))
  const lessons = await readDayLessons(db, school_id, sql`d.date between ${monday}::date and ${addDays(monday, days_of_week - 1)}::date and ${targeted(view, target_id)}`)
  const grade = await gradeOf(db, school_id, view, target_id, lessons)
  const days = await db.selectFrom('school_day_v').select(['date', 'label', 'is_school_day', 'plan_date', 'week_no', 'semester_id', 'bell_id']).where('school_id', '=', school_id).where('grade', '=', grade).where('date', '>=', monday).where('date', '<=', dates.at(-1) ?? monday).execute()
  const term = days.find(day => day.semester_id !== null)
  const semester = term ? await db.selectFrom('semester_v').select(['odd_first']).where('school_id', '=', school_id).where('semester_id', '=', term.semester_id ?? 0).executeTakeFirst() : undefined
  const week_no = term?.week_no ?? null
  return {
    target_name, week_no, week_kind: week_no === null ? null : weekKindOf(week_no, semester?.odd_first ?? true), lessons,
    days: dates.map(date => {
      const day = days.find(one => one.date === date)
      return { date, weekday: weekdayOf(date), label: day?.label ?? '', is_school_day: day?.is_school_day ?? false, follows: day?.plan_date && day.plan_date !== date ? day.plan_date : null }
    }),
    lines: await bellLines(db, school_id, days.flatMap(day => day.bell_id ?? []), lessons),
  }
}

/** The grade whose calendar the week follows: of the class, or of most lessons; the first of the school where there are none. */
async function gradeOf(db: Db, school_id: number, view: View, target_id: string, lessons: readonly DayLesson[]): Promise<string> {
  const class_id = view === 'class' ? target_id : (lessons[0]?.class_id ?? '0')
  const own = await db.selectFrom('teaching_class').select('grade').where('school_id', '=', school_id).where('id', '=', class_id).executeTakeFirst()
  if (own) return own.grade
  const first = await db.selectFrom('dept_now').select('grade').where('school_id', '=', school_id).where('dept_type', '=', 4).where('grade', 'is not', null).orderBy('grade').limit(1).executeTakeFirst()
  return first?.grade ?? '00'
}

/** Lessons of the bell of these days; lessons that it does not have (another stage's) bring their own line. */
async function bellLines(db: Db, school_id: number, bell_ids: readonly string[], lessons: readonly DayLesson[]) {
  const [bell_id = '0'] = bell_ids
  const sections = await db.selectFrom('bell_section_v').select(['section', 'name', 'begin_min', 'end_min']).where('school_id', '=', school_id).where('bell_id', '=', bell_id).where('section', 'is not', null).orderBy('section').execute()
  const lines = sections.map(({ section, name, begin_min, end_min }) => ({ section: section ?? 0, name, begin: clock(begin_min), end: clock(end_min) }))
  const missing = new Map(lessons.filter(one => !lines.some(line => line.section === one.section)).map(one => [one.section, one]))
  return [...lines, ...[...missing.values()].map(one => ({ section: one.section, name: `第${one.section}节`, begin: schoolClock(one.begin_at), end: schoolClock(one.end_at) }))].toSorted((a, b) => a.section - b.section)
}

const clock = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const schoolClock = (at: string): string => clockOf((Date.parse(at) - Date.parse(`${schoolDay(new Date(at))}T00:00:00+08:00`)) / 60_000)

/** The plan of the term that is in force on a day: the versions of all timetables together. @throws Refusal 404 */
export async function readPlan({ db, school_id }: TeachingCtx, asked: Input<typeof lessonApi.plan>): Promise<Reply<typeof lessonApi.plan>> {
  return planOf(db, school_id, asked)
}

export async function planOf(db: Db, school_id: number, { view, target_id, date }: Input<typeof lessonApi.plan>): Promise<Reply<typeof lessonApi.plan>> {
  const target_name = await nameOfTarget(db, school_id, view, target_id)
  const versions = await publishedVersions(db, school_id, { from: date, to: addDays(date, 1) })
  const rows = await readLessons(db, school_id, versions.map(one => one.id), filterOf(view, target_id))
  const placed = rows.filter(row => row.weekday !== null)
  const [first] = versions
  const facts = first ? await requireVersion(db, school_id, first.id) : null
  const world = await loadWorld(db, school_id, facts?.terms ?? [], date)
  const names = { teacher: await teacherNames(db, school_id, placed.flatMap(row => row.teacher_ids)), place: await placeNames(db, school_id, placed.flatMap(row => row.place_id ?? row.home_place_id ?? [])) }
  const lessons = placed.map((row): PlanLesson => planLesson(row, world, names))
  const grades = [...new Set(placed.map(row => row.grade))]
  return {
    target_name, version_name: facts ? `${facts.table_name} v${facts.version_no}` : null, valid_from: facts?.valid_from ?? null, lines: linesOf(world, grades), lessons,
    weekdays: [...new Set([1, 2, 3, 4, 5, ...lessons.flatMap(one => one.weekday ?? [])])].toSorted((a, b) => a - b),
  }
}

/** Classes of the current term by grade, teachers by subject, places by building: what a timetable can be looked up of. */
export async function listTargets({ db, school_id, now }: TeachingCtx, { view, semester_id: asked }: Input<typeof lessonApi.targets>): Promise<Reply<typeof lessonApi.targets>> {
  const today = schoolDay(now)
  const { current } = await listTerms(db, school_id, today)
  if (asked !== undefined) await requireTerm(db, school_id, asked)
  const semester_id = asked ?? current ?? 0
  const { rows } = await targetRows(school_id, view, semester_id).execute(db)
  return { groups: [...Map.groupBy(rows, row => row.group_name)].map(([name, items]): TargetGroup => ({ name, items: items.map(({ id, name: own }) => ({ id, name: own })) })) }
}

function targetRows(school_id: number, view: View, semester_id: number): RawBuilder<{ id: string; name: string; group_name: string }> {
  if (view === 'class') {
    return sql`select c.id::text as id, c.name, coalesce(g.name, c.grade) as group_name from teaching_class c
      left join dictionary_v g on g.school_id = ${school_id} and g.sc_code_type = 'GRADE' and g.sc_code_item = c.grade left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
      where c.school_id = ${school_id} and c.semester_id = ${semester_id} and c.state = 1 order by c.grade, c.kind, d.class_no, c.name`
  }
  if (view === 'teacher') {
    return sql`select s.user_id::text as id, s.user_name as name, coalesce(g.name, '其他') as group_name from (
        select u.user_id, min(k.subject) as subject from teaching t join course k on k.school_id = ${school_id} and k.id = t.course_id cross join lateral unnest(t.teacher_ids) as u(user_id)
        where t.school_id = ${school_id} and t.semester_id = ${semester_id} group by u.user_id) x
      join live_staff s on s.school_id = ${school_id} and s.user_id = x.user_id left join dictionary_v g on g.school_id = ${school_id} and g.sc_code_type = 'SUBJECT' and g.sc_code_item = x.subject
      order by x.subject, s.teacher_no`
  }
  return sql`select p.place_id::text as id, p.place_name as name, coalesce(b.place_name, f.place_name, '') as group_name from place_live_v p
    left join place_live_v f on f.school_id = ${school_id} and f.place_id = p.superior_id left join place_live_v b on b.school_id = ${school_id} and b.place_id = f.superior_id
    where p.school_id = ${school_id} and p.place_kind in (4, 5, 6, 15, 16, 17, 19) order by b.place_name, p.node_path_name`
}

/** What runs at an instant: every teaching room with its lesson and the next one, free rooms until when, lessons without a teacher today (chapter 50 §5). */
export async function readNow({ db, school_id, now }: TeachingCtx, { at }: Input<typeof lessonApi.now>): Promise<Reply<typeof lessonApi.now>> {
  const instant = at === undefined ? now : new Date(at)
  const date = schoolDay(instant)
  const today = (await readDayLessons(db, school_id, sql`d.date = ${date}::date and d.state not in (4, 5)`))
  const { rows: rooms } = await targetRows(school_id, 'place', 0).execute(db)
  const by_place = Map.groupBy(today, one => one.place_id ?? '')
  const stated = rooms.map(({ id, name, group_name }) => {
    const own = by_place.get(id) ?? []
    const lesson = own.find(one => Date.parse(one.begin_at) <= instant.getTime() && instant.getTime() < Date.parse(one.end_at)) ?? null
    const next = own.find(one => Date.parse(one.begin_at) > instant.getTime()) ?? null
    const minutes_left = lesson ? Math.ceil((Date.parse(lesson.end_at) - instant.getTime()) / 60_000) : null
    return { place_id: id, place_name: name, building: group_name, lesson, minutes_left, next }
  })
  return {
    at: instant.toISOString(), places: stated.filter(({ lesson, next }) => lesson !== null || next !== null), running: stated.filter(({ lesson }) => lesson !== null).length, today: today.length,
    free: stated.filter(({ lesson }) => lesson === null).map(({ place_id, place_name, building, next }) => ({ place_id, place_name, building, until: next?.begin_at ?? null })),
    without_teacher: today.filter(one => one.teachers.length === 0 && Date.parse(one.end_at) > instant.getTime()),
  }
}
