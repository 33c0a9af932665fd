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
/** The teaching of a term, and the timetable that is searched for it: the same for the same seed. */
export type TeachingPlan = { semester_id: number; courses: readonly z.input<typeof CourseDraft>[]; teaching: readonly PlannedTeaching[]; timetable: string; seed: number; moves: number; /** lessons that the draft after it takes down */ open: number }
type Desk = { db: QueryExecutorProvider; school_id: number; now: Date }

const [draft, published] = [0, 1] as const

/** Writes courses, teaching and a published timetable into a school that has none, and a draft of its next version. @returns how many lessons are placed */
export async function createTeaching({ db: handle, school_id, now }: Desk, plan: TeachingPlan): Promise<{ placed: number; unplaced: number }> {
  const db = asTables<TeachingDb>(handle)
  const term = await requireTerm(db, school_id, plan.semester_id)
  await insertMany(db, 'course', plan.courses.map(course => ({ ...course, school_id, updated_at: now })))
  await insertTeaching(db, { school_id, now }, plan)
  const table = { school_id, name: plan.timetable, kind: 1, period_kind: 1, semester_id: plan.semester_id, school_year: term.school_year, created_at: now }
  const { id: timetable_id } = await db.insertInto('timetable').values(table).returning('id').executeTakeFirstOrThrow()
  const { id } = await db.insertInto('timetable_version').values({ school_id, timetable_id, version_no: 1, state: draft, created_at: now }).returning('id').executeTakeFirstOrThrow()
  const version = await requireVersion(db, school_id, id)
  await syncLessons(db, school_id, version)
  const rows = await readLessons(db, school_id, [id])
  const context = await loadContext(db, school_id, version.terms, rows)
  const model = modelOf(rows, context, 'locked')
  const { at, unplaced } = search(model, { seed: plan.seed, moves: plan.moves, first: true })
  const placed = rows.map((row, n) => ({ ...row, weekday: model.slots[at[n] ?? -1]?.weekday ?? null, section: model.slots[at[n] ?? -1]?.section ?? null }))
  await applyPatches(db, school_id, id, placed.map(imageOf))
  const until = addDays(term.end_date, 1)
  await db.updateTable('timetable_version').set({ state: published, valid_from: term.begin_date, valid_to: until, published_at: now, note: '开学课表' }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await occupy(db, school_id, { id, lessons: placed, world: context.world, until })
  await rebuildLessonDays(db, { school_id, timetable_id, from: term.begin_date, to: until, now: new Date(0) })
  await nextDraft(db, { school_id, now }, { timetable_id, from: id, open: plan.open })
  return { placed: rows.length - unplaced, unplaced }
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
