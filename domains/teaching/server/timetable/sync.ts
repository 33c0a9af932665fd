import { randomUUID } from 'node:crypto'
import { weeksRange } from '@campus/teaching/contract'
import type { Weeks } from '@campus/teaching/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { weeksOfTerms } from './context.queries.ts'
import type { VersionFacts } from './version.queries.ts'

type Taught = { id: string; class_id: string; course_id: string; weekly_odd: number; weekly_even: number; double: number; place_id: string | null; teacher_ids: string[] }
/** A lesson that the plan wants: how many weeks of which kind, how long. */
type Wanted = { span: number; weeks: Weeks }
type Present = { id: string; teaching_id: string; span: number; weeks: string; weekday: number | null; teacher_ids: string[]; place_id: string | null }
export type Synced = { added: number; removed: number; changed: number }

const [class_tables, walking_tables] = [1, 2] as const
const admin_class = 1

/** The lessons of a week that a row of the plan stands for: doubles first, then single ones, then those of odd or even weeks alone (chapter 50 rule 11). */
function wantedLessons({ weekly_odd, weekly_even, double }: Pick<Taught, 'weekly_odd' | 'weekly_even' | 'double'>, all: Weeks): Wanted[] {
  const both = Math.min(weekly_odd, weekly_even)
  const kind = (rest: number) => all.filter(week => week % 2 === rest)
  const many = (count: number, span: number, weeks: Weeks) => Array.from({ length: weeks.length > 0 ? Math.max(0, count) : 0 }, (): Wanted => ({ span, weeks }))
  return [...many(double, 2, all), ...many(both - double * 2, 1, all), ...many(weekly_odd - both, 1, kind(1)), ...many(weekly_even - both, 1, kind(0))]
}

/**
 * Lets the lessons of a draft follow the teaching of its term: missing ones come unplaced, surplus ones go (unplaced ones first), teachers become those of the plan.
 * A year's timetable follows the teaching of its first term.
 */
export async function syncLessons(db: Db, school_id: number, version: VersionFacts): Promise<Synced> {
  const all = weeksOfTerms(version.terms)
  const taught = await readTaught(db, school_id, version)
  const present = Map.groupBy(await readPresent(db, school_id, version.id), row => row.teaching_id)
  const added: Record<string, unknown>[] = []
  const removed: string[] = []
  const changed: { id: string; teacher_ids: string[] }[] = []
  for (const plan of taught) {
    const own = [...(present.get(plan.id) ?? [])].toSorted((a, b) => Number(b.weekday !== null) - Number(a.weekday !== null))
    present.delete(plan.id)
    for (const wanted of wantedLessons(plan, all)) {
      const at = own.findIndex(row => row.span === wanted.span && row.weeks === weeksRange(wanted.weeks))
      const [row] = at < 0 ? own.splice(own.findIndex(one => one.span === wanted.span), own.some(one => one.span === wanted.span) ? 1 : 0) : own.splice(at, 1)
      if (!row) added.push({ school_id, version_id: version.id, lesson_key: randomUUID(), teaching_id: plan.id, class_id: plan.class_id, course_id: plan.course_id, span: wanted.span, weeks: weeksRange(wanted.weeks), place_id: plan.place_id, teacher_ids: plan.teacher_ids, locked: false })
      else if (row.teacher_ids.join() !== plan.teacher_ids.join()) changed.push({ id: row.id, teacher_ids: plan.teacher_ids })
    }
    removed.push(...own.map(row => row.id))
  }
  removed.push(...[...present.values()].flat().map(row => row.id))
  await insertMany(db, 'lesson', added)
  if (removed.length > 0) await db.deleteFrom('lesson').where('school_id', '=', school_id).where('version_id', '=', version.id).where('id', 'in', removed).execute()
  for (const { id, teacher_ids } of changed) await db.updateTable('lesson').set({ teacher_ids }).where('school_id', '=', school_id).where('id', '=', id).execute()
  return { added: added.length, removed: removed.length, changed: changed.length }
}

async function readTaught(db: Db, school_id: number, { kind, terms }: VersionFacts): Promise<Taught[]> {
  const [first] = terms
  if (!first) return []
  const { rows } = await sql<Taught>`
    select t.id::text as id, t.class_id::text as class_id, t.course_id::text as course_id, t.weekly_odd::int as weekly_odd, t.weekly_even::int as weekly_even, t.double::int as double,
      t.place_id::text as place_id, t.teacher_ids::text[] as teacher_ids
    from teaching t join teaching_class c on c.school_id = ${school_id} and c.id = t.class_id
    where t.school_id = ${school_id} and t.semester_id = ${first.semester_id} and c.state = 1
      and ((${kind} = ${class_tables} and c.kind = ${admin_class}) or (${kind} = ${walking_tables} and c.kind <> ${admin_class}))
    order by c.grade, c.name, t.course_id`.execute(db)
  return rows
}

async function readPresent(db: Db, school_id: number, version_id: string): Promise<Present[]> {
  return db.selectFrom('lesson').select(['id', 'teaching_id', 'span', 'weeks', 'weekday', 'teacher_ids', 'place_id']).where('school_id', '=', school_id).where('version_id', '=', version_id).orderBy('id').execute()
}
