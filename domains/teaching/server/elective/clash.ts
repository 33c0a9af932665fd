import { addDays } from '@campus/calendar/contract'
import type { Slot } from '@campus/teaching/contract'
import { cellName } from '../conflict/check.ts'
import { meet, occurrencesOf } from '../conflict/world.ts'
import type { Occurrence, World } from '../conflict/world.ts'
import type { Db } from '../db.ts'
import { requireTerm } from '../plan/plan.queries.ts'
import type { Term } from '../plan/plan.queries.ts'
import { loadWorld, readLessons } from '../timetable/context.queries.ts'
import { publishedVersions } from '../timetable/version.queries.ts'
import type { Task } from './task.queries.ts'

type Timed = { id: string; slots: Slot[]; grades: string[] }

/**
 * Writes down which offers of a task take place at a common minute, by the checker's own reckoning of dates and bells (chapter 50 rule 16).
 */
export async function setClashes(db: Db, school_id: number, { id: task_id, semester_id, grades }: Pick<Task,
  'id' | 'semester_id' | 'grades'>): Promise<void> {
  const { rows, world } = await readTimed(db, school_id, { id: task_id, semester_id })
  const timed = rows.map(offer => ({ id: offer.id, at: datesOf(offer, world, grades) }))
  for (const { id, at } of timed) {
    const clashes = timed.filter(other => other.id !== id && overlap(at, other.at)).map(other => other.id)
    await db.updateTable('elective_offer').set({ clashes }).where('school_id', '=', school_id).where('id', '=', id).execute()
  }
}

/**
 * Writes down which home classes have a lesson of their own at the time of an offer, by the published timetables of the term; lessons of
 * elective courses do not count.
 */
export async function setBusy(db: Db, school_id: number, task: Pick<Task, 'id' | 'semester_id' | 'grades'>): Promise<void> {
  const { rows, world, term } = await readTimed(db, school_id, task)
  const versions = await publishedVersions(db, school_id, { from: term.begin_date, to: addDays(term.end_date, 1) })
  const homes = await db.selectFrom('teaching_class').select(['id', 'dept_id']).where('school_id', '=', school_id).where('semester_id', '=',
    task.semester_id)
    .where('kind', '=', 1).where('grade', 'in', task.grades).execute()
  const elective = await db.selectFrom('course').select('id').where('school_id', '=', school_id).where('course_type', 'in', ['2', '4'])
    .execute()
  const skipped = new Set(elective.map(one => one.id))
  const lessons = (await readLessons(db, school_id, versions.map(one => one.id), { class_ids: ['0', ...homes.map(one => one.id)] }))
    .filter(row => !skipped.has(row.course_id))
  const dept_of = new Map(homes.map(one => [one.id, one.dept_id ?? '']))
  const days = Map.groupBy(lessons, row => row.weekday)
  for (const offer of rows) {
    const at = datesOf(offer, world, task.grades)
    const met = [...new Set(offer.slots.map(slot => slot.weekday))].flatMap(weekday => days.get(weekday) ?? []).filter(row => {
      const { weekday, section } = row
      return weekday !== null && section !== null && overlap(at, occurrencesOf({ ...row, weekday, section }, world))
    })
    const busy = Object.fromEntries(met.map(row => [dept_of.get(row.class_id) ?? '',
      `${row.course_name}（${cellName({ weekday: row.weekday ?? 1, section: row.section ?? 1 })}）`]))
    await db.updateTable('elective_offer').set({ busy: JSON.stringify(busy) }).where('school_id', '=', school_id).where('id', '=', offer.id)
      .execute()
  }
}

type Read = { rows: Timed[]; world: World; term: Term }

async function readTimed(db: Db, school_id: number, { id: task_id, semester_id }: Pick<Task, 'id' | 'semester_id'>): Promise<Read> {
  const term = await requireTerm(db, school_id, semester_id)
  const world = await loadWorld(db, school_id, [{ ...term, term: 0 }])
  const found = await db.selectFrom('elective_offer').select(['id', 'slots', 'grades']).where('school_id', '=', school_id)
    .where('task_id', '=', task_id).orderBy('id').execute()
  return { world, term, rows: found.map(({ id, slots, grades }) => ({ id, grades, slots: slotsOf(slots) })) }
}

/** Slots of the stored column. */
export function slotsOf(value: unknown): Slot[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => (typeof one === 'object' && one !== null && 'weekday' in one
    && 'section' in one ? [{ weekday: Number(one.weekday), section: Number(one.section) }] : []))
}

function datesOf({ slots, grades }: Timed, world: World, all: readonly string[]): Occurrence[] {
  const own = grades.length > 0 ? grades : all
  return slots.flatMap(slot => own.flatMap(grade => occurrencesOf({ grade, ...slot, span: 1, weeks: world.weeks }, world)))
}

function overlap(a: readonly Occurrence[], b: readonly Occurrence[]): boolean {
  const by_day = Map.groupBy(b, one => one.day)
  return a.some(one => by_day.get(one.day)?.some(other => meet(one, other)) === true)
}
