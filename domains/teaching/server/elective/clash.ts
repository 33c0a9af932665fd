import type { Slot } from '@campus/teaching/contract'
import { meet, occurrencesOf } from '../conflict/world.ts'
import type { Occurrence, World } from '../conflict/world.ts'
import type { Db } from '../db.ts'
import { requireTerm } from '../plan/plan.queries.ts'
import { loadWorld } from '../timetable/context.queries.ts'
import type { Task } from './task.queries.ts'

type Timed = { id: string; slots: Slot[]; grades: string[] }

/**
 * Writes down which offers of a task take place at a common minute, by the checker's own reckoning of dates and bells (chapter 50 rule 16).
 */
export async function setClashes(db: Db, school_id: number, { id: task_id, semester_id, grades }: Pick<Task,
  'id' | 'semester_id' | 'grades'>): Promise<void> {
  const { name, begin_date, end_date } = await requireTerm(db, school_id, semester_id)
  const world = await loadWorld(db, school_id, [{ semester_id, term: 0, begin_date, end_date, name }])
  const { rows } = await readTimed(db, school_id, task_id)
  const timed = rows.map(offer => ({ id: offer.id, at: datesOf(offer, world, grades) }))
  for (const { id, at } of timed) {
    const clashes = timed.filter(other => other.id !== id && overlap(at, other.at)).map(other => other.id)
    await db.updateTable('elective_offer').set({ clashes }).where('school_id', '=', school_id).where('id', '=', id).execute()
  }
}

async function readTimed(db: Db, school_id: number, task_id: string): Promise<{ rows: Timed[] }> {
  const found = await db.selectFrom('elective_offer').select(['id', 'slots', 'grades']).where('school_id', '=', school_id)
    .where('task_id', '=', task_id).orderBy('id').execute()
  return { rows: found.map(({ id, slots, grades }) => ({ id, grades, slots: slotsOf(slots) })) }
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
