import { teachingErrors, teachingEvents } from '@campus/teaching/contract'
import type { CopyLine, teachingApi, TeachingCell, TeachingDraft } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { named, openClasses, placeNames, readClasses, requireOpenTerm, requireTeachers, requireTerm, teacherNames } from './plan.queries.ts'

/** Weekly lessons above which a load is marked, by stage (chapter 50 rule 15). */
const most_weekly: Readonly<Record<string, number>> = { '1': 25, '2': 20, '3': 16 }
const most_default = 20

/** Classes × courses of a term with who teaches them. */
export async function readMatrix({ db, school_id }: TeachingCtx, { semester_id, grade }: Input<typeof teachingApi.matrix>): Promise<Reply<typeof teachingApi.matrix>> {
  await requireTerm(db, school_id, semester_id)
  const classes = await readClasses(db, school_id, semester_id, grade)
  const cells = await readCells(db, school_id, semester_id, classes.flatMap(({ class_id }) => class_id ?? []))
  const grades = new Set(classes.map(one => one.grade))
  const courses = await db.selectFrom('course').select(['id', 'course_name', 'subject', 'color', 'weekly', 'double', 'grades', 'archived']).where('school_id', '=', school_id).orderBy('subject').orderBy('course_no').execute()
  const taught = new Set(cells.map(({ course_id }) => course_id))
  const shown = courses.filter(course => taught.has(course.id) || (!course.archived && course.grades.some(one => grades.has(one))))
  return { classes, cells, courses: shown.map(({ grades: _grades, archived: _archived, ...course }) => course) }
}

async function readCells(db: Db, school_id: number, semester_id: number, class_ids: readonly string[]): Promise<TeachingCell[]> {
  if (class_ids.length === 0) return []
  const rows = await db.selectFrom('teaching as t').innerJoin('teaching_class as c', on => on.onRef('c.id', '=', 't.class_id').on('c.school_id', '=', school_id))
    .select(['t.id', 't.class_id', 'c.dept_id', 't.course_id', 't.weekly_odd', 't.weekly_even', 't.double', 't.teacher_ids', 't.place_id', 't.row_version'])
    .where('t.school_id', '=', school_id).where('t.semester_id', '=', semester_id).where('t.class_id', 'in', [...class_ids]).execute()
  const names = await teacherNames(db, school_id, rows.flatMap(row => row.teacher_ids))
  const places = await placeNames(db, school_id, rows.flatMap(row => row.place_id ?? []))
  return rows.map(({ teacher_ids, ...row }) => ({ ...row, teachers: named(teacher_ids, names), place_name: row.place_id === null ? null : (places.get(row.place_id) ?? null) }))
}

/** Everybody at work with their weekly lessons, the busiest first. */
export async function readLoad({ db, school_id }: TeachingCtx, { semester_id }: Input<typeof teachingApi.load>): Promise<Reply<typeof teachingApi.load>> {
  await requireTerm(db, school_id, semester_id)
  const { rows } = await sql<{ user_id: string; user_name: string; teacher_no: string; weekly: number; subjects: string[] | null; stage: string | null }>`
    select s.user_id::text as user_id, s.user_name, s.teacher_no, coalesce(l.weekly, 0)::float8 as weekly, l.subjects, l.stage
    from live_staff s left join (
      select u.user_id, sum(t.weekly_odd + t.weekly_even)::float8 / 2 as weekly, array_agg(distinct k.subject) as subjects, max(left(c.grade, 1)) as stage
      from teaching t join teaching_class c on c.school_id = ${school_id} and c.id = t.class_id join course k on k.school_id = ${school_id} and k.id = t.course_id
      cross join lateral unnest(t.teacher_ids) as u(user_id) where t.school_id = ${school_id} and t.semester_id = ${semester_id} group by u.user_id) l on l.user_id = s.user_id
    where s.school_id = ${school_id} order by coalesce(l.weekly, 0) desc, s.teacher_no`.execute(db)
  return { list: rows.map(({ stage, subjects, ...row }) => ({ ...row, subjects: subjects ?? [], most: most_weekly[stage ?? ''] ?? most_default })) }
}

/**
 * Writes cells of the matrix: 0 and 0 lessons take a cell away.
 * @throws Refusal 404 semesterUnknown, 409 staleRow, teachingInUse, 422 semesterClosed, classUnknown, courseGrade, teacherUnknown
 */
export async function saveTeaching(ctx: TeachingCtx, { semester_id, cells }: Input<typeof teachingApi.save>): Promise<Reply<typeof teachingApi.save>> {
  const { db, school_id } = ctx
  await requireOpenTerm(db, school_id, semester_id)
  await requireTeachers(db, school_id, cells.flatMap(cell => cell.teacher_ids))
  await requirePlaces(db, school_id, cells.flatMap(cell => cell.place_id ?? []))
  const opened = await openClasses(db, school_id, semester_id, cells.flatMap(cell => cell.dept_id ?? []))
  const placed = cells.map(({ dept_id, class_id, ...cell }) => ({ ...cell, class_id: class_id ?? opened.get(dept_id ?? '') ?? '' }))
  await requireFitting(db, school_id, semester_id, placed)
  let removed = 0
  for (const cell of placed) {
    const gone = cell.weekly_odd + cell.weekly_even === 0
    if (gone) await removeCell(ctx, semester_id, cell)
    else await writeCell(ctx, semester_id, cell)
    removed += gone ? 1 : 0
  }
  await publish(ctx, teachingEvents.assignmentChanged, { semester_id, class_ids: [...new Set(placed.map(cell => cell.class_id))], teacher_ids: [...new Set(placed.flatMap(cell => cell.teacher_ids))] })
  ctx.note({ target_kind: 'teaching.teaching', target_name: `教师任课 ${placed.length}项` })
  return { saved: placed.length - removed, removed }
}

type Cell = Omit<TeachingDraft, 'dept_id' | 'class_id'> & { class_id: string }

async function writeCell({ db, school_id, now }: TeachingCtx, semester_id: number, { row_version, ...cell }: Cell): Promise<void> {
  const kept = { weekly_odd: cell.weekly_odd, weekly_even: cell.weekly_even, double: cell.double, teacher_ids: cell.teacher_ids, place_id: cell.place_id, updated_at: now }
  if (row_version === null) {
    await db.insertInto('teaching').values({ ...cell, school_id, semester_id, updated_at: now }).onConflict(on => on.columns(['school_id', 'semester_id', 'class_id', 'course_id']).doUpdateSet({ ...kept, row_version: sql<number>`teaching.row_version + 1` })).execute()
    return
  }
  const { numUpdatedRows } = await db.updateTable('teaching').set({ ...kept, row_version: row_version + 1 }).where('school_id', '=', school_id).where('semester_id', '=', semester_id)
    .where('class_id', '=', cell.class_id).where('course_id', '=', cell.course_id).where('row_version', '=', row_version).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw fail(teachingErrors.staleRow)
}

async function removeCell({ db, school_id }: TeachingCtx, semester_id: number, { class_id, course_id }: Cell): Promise<void> {
  const cell = await db.selectFrom('teaching').select('id').where('school_id', '=', school_id).where('semester_id', '=', semester_id).where('class_id', '=', class_id).where('course_id', '=', course_id).executeTakeFirst()
  if (!cell) return
  const used = await db.selectFrom('lesson').select('id').where('school_id', '=', school_id).where('teaching_id', '=', cell.id).where('weekday', 'is not', null).limit(1).executeTakeFirst()
  if (used) throw fail(teachingErrors.teachingInUse)
  await db.deleteFrom('lesson').where('school_id', '=', school_id).where('teaching_id', '=', cell.id).execute()
  await db.deleteFrom('teaching').where('school_id', '=', school_id).where('id', '=', cell.id).execute()
}

/** Classes and courses are the school's and of the term, and the course is for the grade. */
async function requireFitting(db: Db, school_id: number, semester_id: number, cells: readonly Cell[]): Promise<void> {
  const classes = await db.selectFrom('teaching_class').select(['id', 'name', 'grade']).where('school_id', '=', school_id).where('semester_id', '=', semester_id).where('id', 'in', ['0', ...cells.map(cell => cell.class_id)]).execute()
  const courses = await db.selectFrom('course').select(['id', 'course_name', 'grades']).where('school_id', '=', school_id).where('id', 'in', cells.map(cell => cell.course_id)).execute()
  for (const cell of cells) {
    const own = classes.find(one => one.id === cell.class_id)
    const course = courses.find(one => one.id === cell.course_id)
    if (!own || !course) throw fail(commonErrors.notFound)
    if (!course.grades.includes(own.grade)) throw fail(teachingErrors.courseGrade, { params: { course: course.course_name, class: own.name } })
  }
}

async function requirePlaces(db: Db, school_id: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where('place_id', 'in', [...ids]).execute()
  if (found.length < new Set(ids).size) throw fail(commonErrors.notFound)
}

/** Somebody takes over from somebody: all lessons of the term, or the chosen ones. The timetable follows with its next version. @throws Refusal 404, 422 teacherUnknown */
export async function changeTeacher(ctx: TeachingCtx, { semester_id, from_id, to_id, ids }: Input<typeof teachingApi.changeTeacher>): Promise<Reply<typeof teachingApi.changeTeacher>> {
  const { db, school_id, now } = ctx
  await requireOpenTerm(db, school_id, semester_id)
  await requireTeachers(db, school_id, [to_id])
  const known = await teacherNames(db, school_id, [from_id])
  const rows = await db.selectFrom('teaching').select(['id', 'class_id', 'teacher_ids']).where('school_id', '=', school_id).where('semester_id', '=', semester_id).where(sql<boolean>`${from_id}::bigint = any(teacher_ids)`)
    .$if(ids.length > 0, query => query.where('id', 'in', ids)).forUpdate().execute()
  if (!known.has(from_id) || rows.length < ids.length) throw fail(commonErrors.notFound)
  for (const { id, teacher_ids } of rows) {
    const kept = [...new Set(teacher_ids.map(one => (one === from_id ? to_id : one)))]
    await db.updateTable('teaching').set({ teacher_ids: kept, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
  }
  if (rows.length > 0) await publish(ctx, teachingEvents.assignmentChanged, { semester_id, class_ids: [...new Set(rows.map(row => row.class_id))], teacher_ids: [from_id, to_id] })
  ctx.note({ target_kind: 'teaching.teaching', target_name: `教师变更 ${rows.length}项` })
  return { changed: rows.length }
}

type Source = { dept_id: string; course_id: string; course_name: string; grades: string[]; course_archived: boolean; weekly_odd: number; weekly_even: number; double: number; teacher_ids: string[]; place_id: string | null; old_name: string; name: string | null; grade: string | null }

/**
 * 任课复制: the teaching of a term for the same classes (people's ids, so a class that was promoted is found under its new name) in another one.
 * Only rows whose class, course and teachers are still there are copied (chapter 50 rule 14).
 */
export async function copyTeaching(ctx: TeachingCtx, { from, to, grades, preview }: Input<typeof teachingApi.copy>): Promise<Reply<typeof teachingApi.copy>> {
  const { db, school_id, now } = ctx
  await requireTerm(db, school_id, from)
  await requireOpenTerm(db, school_id, to)
  const sources = await readSources(db, school_id, from, grades)
  const present = new Set((await presentPairs(db, school_id, to)).map(({ dept_id, course_id }) => `${dept_id} ${course_id}`))
  const names = await teacherNames(db, school_id, sources.flatMap(row => row.teacher_ids))
  const live = new Set((await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).execute()).map(row => row.user_id))
  const judged = sources.map(row => ({ row, verdict: verdictOf(row, present, live) }))
  const wanted = judged.filter(({ verdict }) => verdict === 'new').map(({ row }) => row)
  if (!preview && wanted.length > 0) {
    const classes = await openClasses(db, school_id, to, wanted.map(row => row.dept_id))
    const rows = wanted.map(row => ({ school_id, semester_id: to, class_id: classes.get(row.dept_id) ?? '', course_id: row.course_id, weekly_odd: row.weekly_odd, weekly_even: row.weekly_even, double: row.double, teacher_ids: row.teacher_ids, place_id: row.place_id, updated_at: now }))
    await db.insertInto('teaching').values(rows).onConflict(on => on.columns(['school_id', 'semester_id', 'class_id', 'course_id']).doNothing()).execute()
    ctx.note({ target_kind: 'teaching.teaching', target_name: `任课复制 ${rows.length}项` })
  }
  const lines = judged.map(({ row, verdict }): CopyLine => ({ class_name: row.name === null || row.name === row.old_name ? row.old_name : `${row.old_name} → ${row.name}`, course_name: row.course_name, teachers: row.teacher_ids.map(id => names.get(id) ?? '').join('、'), verdict }))
  return { lines, copied: preview ? 0 : wanted.length }
}

function verdictOf(row: Source, present: ReadonlySet<string>, live: ReadonlySet<string>): CopyLine['verdict'] {
  if (row.name === null || row.grade === null) return 'closed'
  if (present.has(`${row.dept_id} ${row.course_id}`)) return 'present'
  if (row.course_archived || !row.grades.includes(row.grade)) return 'grade'
  return row.teacher_ids.every(id => live.has(id)) ? 'new' : 'left'
}

async function readSources(db: Db, school_id: number, semester_id: number, grades: readonly string[]): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select c.dept_id::text as dept_id, t.course_id::text as course_id, k.course_name, k.grades, k.archived as course_archived, t.weekly_odd::int as weekly_odd, t.weekly_even::int as weekly_even, t.double::int as double,
      t.teacher_ids::text[] as teacher_ids, t.place_id::text as place_id, c.name as old_name, d.dept_name as name, d.grade
    from teaching t join teaching_class c on c.school_id = ${school_id} and c.id = t.class_id and c.kind = 1 join course k on k.school_id = ${school_id} and k.id = t.course_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    where t.school_id = ${school_id} and t.semester_id = ${semester_id} and (cardinality(${[...grades]}::text[]) = 0 or c.grade = any(${[...grades]}::text[]))
    order by c.grade, c.name, k.course_no`.execute(db)
  return rows
}

function presentPairs(db: Db, school_id: number, semester_id: number) {
  return db.selectFrom('teaching as t').innerJoin('teaching_class as c', on => on.onRef('c.id', '=', 't.class_id').on('c.school_id', '=', school_id)).select(['c.dept_id', 't.course_id']).where('t.school_id', '=', school_id).where('t.semester_id', '=', semester_id).execute()
}

/** Cells in which a teacher cannot teach, as weekday-section. @throws Refusal 404 */
export async function readUnavailable({ db, school_id }: TeachingCtx, { semester_id, teacher_id }: Input<typeof teachingApi.unavailable>): Promise<Reply<typeof teachingApi.unavailable>> {
  if (!(await teacherNames(db, school_id, [teacher_id])).has(teacher_id)) throw fail(commonErrors.notFound)
  const rows = await db.selectFrom('teaching_unavailable').select(['weekday', 'section']).where('school_id', '=', school_id).where('semester_id', '=', semester_id).where('target_kind', '=', 'T').where('target_id', '=', teacher_id).execute()
  return { cells: rows.map(({ weekday, section }) => `${weekday}-${section}`) }
}

/** @throws Refusal 404 semesterUnknown, 422 semesterClosed, teacherUnknown */
export async function saveUnavailable(ctx: TeachingCtx, { semester_id, teacher_id, cells, reason }: Input<typeof teachingApi.saveUnavailable>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  await requireOpenTerm(db, school_id, semester_id)
  if (!(await teacherNames(db, school_id, [teacher_id])).has(teacher_id)) throw fail(commonErrors.notFound)
  await db.deleteFrom('teaching_unavailable').where('school_id', '=', school_id).where('semester_id', '=', semester_id).where('target_kind', '=', 'T').where('target_id', '=', teacher_id).execute()
  const rows = [...new Set(cells)].map(cell => cell.split('-').map(Number)).map(([weekday = 1, section = 1]) => ({ school_id, semester_id, target_kind: 'T', target_id: teacher_id, weekday, section, reason }))
  if (rows.length > 0) await db.insertInto('teaching_unavailable').values(rows).execute()
  ctx.note({ target_kind: 'teaching.teaching', target_id: teacher_id, target_name: `不可排课时段 ${rows.length}节` })
  return {}
}
