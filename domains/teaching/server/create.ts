import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asTables } from '@kit/server/db'
import type { CourseDraft } from '@campus/teaching/contract'
import type { z } from 'zod'
import { addDays } from '@campus/calendar/contract'
import type { Db, TeachingDb } from './db.ts'
import { rebuildLessonDays } from './lesson-days.ts'
import { openClasses, requireTerm } from './plan/plan.queries.ts'
import type { Term } from './plan/plan.queries.ts'
import { modelOf } from './solve/model.ts'
import { search } from './solve/search.ts'
import { applyPatches } from './timetable/edit.service.ts'
import { imageOf } from './timetable/command.ts'
import { loadContext, readLessons } from './timetable/context.queries.ts'
import { occupy } from './timetable/publish.service.ts'
import { syncLessons } from './timetable/sync.ts'
import { requireVersion } from './timetable/version.queries.ts'

/** Who teaches a class a course; `course_no` names the course. */
export type PlannedTeaching = { dept_id: string; course_no: string; weekly_odd: number; weekly_even: number; double: number; teacher_ids: string[] }
/** A walking class: pupils of several home classes who are taught one course together, in a room of its own. */
type PlannedWalking = { name: string; grade: string; course_no: string; weekly: number; teacher_ids: string[]; place_id: string | null;
  student_ids: readonly string[] }
/** The teaching of a term, and the timetables that are searched for it: the same for the same seed. */
export type TeachingPlan = {
  semester_id: number; courses: readonly z.input<typeof CourseDraft>[]; teaching: readonly PlannedTeaching[]; timetable: string
  seed: number; moves: number
  /** lessons that the draft after it takes down */
  open: number
  /** has a timetable of its own */
  walking?: { timetable: string; classes: readonly PlannedWalking[] }
  /** three of six subjects of pupils */
  combos?: readonly { student_id: string; first: string; second: string[] }[]
}
type Desk = { db: QueryExecutorProvider; school_id: number; now: Date }

const [draft, published] = [0, 1] as const
const [class_table, walking_table, walking_capacity] = [1, 2, 46] as const

/**
 * Writes courses, teaching and published timetables into a school that has none, and a draft of the next version.
 * @returns how many lessons are placed
 */
export async function createTeaching({ db: handle, school_id, now }: Desk, plan: TeachingPlan): Promise<{ placed: number; unplaced: number }> {
  const db = asTables<TeachingDb>(handle)
  const place = { school_id, now }
  const term = await requireTerm(db, school_id, plan.semester_id)
  await insertMany(db, 'course', plan.courses.map(course => ({ ...course, school_id, updated_at: now })))
  await insertTeaching(db, place, plan)
  if (plan.walking) await insertWalking(db, place, { ...plan, from: term.begin_date, classes: plan.walking.classes })
  await insertMany(db, 'student_combo', (plan.combos ?? []).map(one => ({ ...one, school_id, valid_from: term.begin_date, reason: '选科' })))
  const versions = [await firstVersion(db, place, { name: plan.timetable, kind: class_table, term })]
  if (plan.walking) versions.push(await firstVersion(db, place, { name: plan.walking.timetable, kind: walking_table, term }))
  const rows = await readLessons(db, school_id, versions.map(one => one.id))
  const context = await loadContext(db, school_id, versions[0]?.terms ?? [], rows)
  const model = modelOf(rows, context, 'locked')
  const { at, unplaced } = search(model, { seed: plan.seed, moves: plan.moves, first: true })
  const placed = rows.map((row, n) => ({ ...row, weekday: model.slots[at[n] ?? -1]?.weekday ?? null, section: model.slots[at[n] ?? -1]?.section ?? null }))
  const until = addDays(term.end_date, 1)
  for (const { id, timetable_id } of versions) {
    const own = await db.selectFrom('lesson').select('id').where('school_id', '=', school_id).where('version_id', '=', id).execute()
    const ids = new Set(own.map(row => row.id))
    const lessons = placed.filter(row => ids.has(row.id))
    await applyPatches(db, school_id, id, lessons.map(imageOf))
    await db.updateTable('timetable_version').set({ state: published, valid_from: term.begin_date, valid_to: until, published_at: now,
      note: '开学课表' })
      .where('school_id', '=', school_id).where('id', '=', id).execute()
    await occupy(db, school_id, { id, lessons, world: context.world, until })
    await rebuildLessonDays(db, { school_id, timetable_id, from: term.begin_date, to: until, now: new Date(0) })
  }
  const [first] = versions
  if (first) await nextDraft(db, place, { timetable_id: first.timetable_id, from: first.id, open: plan.open })
  return { placed: rows.length - unplaced, unplaced }
}

/** A timetable with its first draft and all lessons of the plan, none of them placed. */
async function firstVersion(db: Db, { school_id, now }: Pick<Desk, 'school_id' | 'now'>, { name, kind,
  term }: { name: string; kind: number; term: Term }) {
  const table = { school_id, name, kind, period_kind: 1, semester_id: term.semester_id, school_year: term.school_year, created_at: now }
  const { id: timetable_id } = await db.insertInto('timetable').values(table).returning('id').executeTakeFirstOrThrow()
  const { id } = await db.insertInto('timetable_version').values({ school_id, timetable_id, version_no: 1, state: draft,
    created_at: now }).returning('id').executeTakeFirstOrThrow()
  const version = await requireVersion(db, school_id, id)
  await syncLessons(db, school_id, version)
  return version
}

/** Walking classes with their rosters from a day on, and who teaches them. */
async function insertWalking(db: Db, { school_id, now }: Pick<Desk, 'school_id' | 'now'>,
  { semester_id, classes, from }: { semester_id: number; classes: readonly PlannedWalking[]; from: string }): Promise<void> {
  const courses = new Map((await db.selectFrom('course').select(['id', 'course_no']).where('school_id', '=', school_id).execute())
    .map(row => [row.course_no, row.id]))
  for (const { name, grade, course_no, weekly, teacher_ids, place_id, student_ids } of classes) {
    const course_id = courses.get(course_no)
    const { id: class_id } = await db.insertInto('teaching_class')
      .values({ school_id, semester_id, kind: 2, name, grade, course_id, capacity: walking_capacity }).returning('id')
        .executeTakeFirstOrThrow()
    await insertMany(db, 'teaching_class_student', student_ids.map(student_id => ({ school_id, class_id, student_id, valid_from: from,
      source: 'section' })))
    await insertMany(db, 'teaching', [{ school_id, semester_id, class_id, course_id, weekly_odd: weekly, weekly_even: weekly, double: 0,
      place_id, teacher_ids, updated_at: now }])
  }
}

async function insertTeaching(db: Db, { school_id, now }: Pick<Desk, 'school_id' | 'now'>, { semester_id, teaching }: TeachingPlan): Promise<void> {
  const classes = await openClasses(db, school_id, semester_id, teaching.map(row => row.dept_id))
  const courses = new Map((await db.selectFrom('course').select(['id', 'course_no']).where('school_id', '=', school_id).execute()).map(row => [row.course_no, row.id]))
  await insertMany(db, 'teaching', teaching.map(({ dept_id, course_no, ...row }) => ({ ...row, school_id, semester_id, class_id: classes.get(dept_id), course_id: courses.get(course_no), place_id: null, updated_at: now })))
}

/** A draft that somebody has begun: a copy whose last lessons lie beside the grid. */
async function nextDraft(db: Db, { school_id, now }: Pick<Desk, 'school_id' | 'now'>, { timetable_id, from, open }: { timetable_id: string; from: string; open: number }): Promise<void> {
  const { id } = await db.insertInto('timetable_version').values({ school_id, timetable_id, version_no: 2, state: draft, based_on: from, note: '期中调整', created_at: now }).returning('id').executeTakeFirstOrThrow()
  await sql`
    insert into lesson (school_id, version_id, lesson_key, teaching_id, class_id, course_id, weekday, section, span, weeks, place_id, teacher_ids, locked)
    select school_id, ${id}::bigint, lesson_key, teaching_id, class_id, course_id, weekday, section, span, weeks, place_id, teacher_ids, locked
    from lesson where school_id = ${school_id} and version_id = ${from} on conflict do nothing`.execute(db)
  const rows = await db.selectFrom('lesson').select('id').where('school_id', '=', school_id).where('version_id', '=', id).orderBy('id').limit(open).execute()
  if (rows.length > 0) await db.updateTable('lesson').set({ weekday: null, section: null }).where('school_id', '=', school_id).where('id', 'in', rows.map(row => row.id)).execute()
}
