import { weeksText } from '@campus/teaching/contract'
import type { FileIssue, Weeks } from '@campus/teaching/contract'
import { add } from '../conflict/world.ts'
import type { LessonRow } from '../timetable/context.queries.ts'
import type { Spot } from './table-file.ts'

/** An entry whose names are known; `place_id` undefined: the file does not say. */
export type Known = { at: Spot; class_id: string; course_id: string; weekday: number; section: number; weeks: Weeks; place_id: string | null | undefined }
/** Where lessons of a draft go, and which entries of the file put them there. */
export type Matched = { placed: Map<string, { after: LessonRow; spots: Spot[] }>; removed: LessonRow[]; issues: FileIssue[] }

/**
 * Gives each entry a lesson of its class and course: the one that is there already, else one that is not placed, else one that is placed
 * where the file has none. A lesson of two sections takes two entries in a row. Locked lessons do not move.
 * @param mode replace: lessons of these classes that the file does not have come down; add: they stay
 */
export function matchEntries(entries: readonly Known[], lessons: readonly LessonRow[], mode: 'replace' | 'add'): Matched {
  const found: Matched = { placed: new Map(), removed: [], issues: [] }
  const by_course = new Map<string, LessonRow[]>()
  for (const row of lessons) add(by_course, `${row.class_id} ${row.course_id}`, row)
  for (const [key, own] of Map.groupBy(entries, one => `${one.class_id} ${one.course_id}`)) matchCourse(found, own,
    by_course.get(key) ?? [], mode)
  if (mode === 'replace') {
    const classes = new Set(entries.map(one => one.class_id))
    found.removed.push(...lessons.filter(row => classes.has(row.class_id) && row.weekday !== null && !row.locked
      && !found.placed.has(row.id)))
  }
  return found
}

const order = (a: Known, b: Known) => a.weekday - b.weekday || a.section - b.section

function matchCourse(found: Matched, entries: readonly Known[], lessons: readonly LessonRow[], mode: 'replace' | 'add'): void {
  const open = entries.toSorted(order)
  const place = (row: LessonRow, run: readonly Known[]) => {
    const [first] = run
    if (!first) return
    for (const one of run) open.splice(open.indexOf(one), 1)
    const place_id = first.place_id === undefined ? row.place_id : first.place_id
    const after = { ...row, weekday: first.weekday, section: first.section, weeks: first.weeks, place_id }
    found.placed.set(row.id, { after, spots: run.map(one => one.at) })
  }
  const rest = lessons.toSorted((a, b) => b.span - a.span)
  for (const row of rest.filter(one => one.weekday !== null)) place(row, runOf(open, row.span, one => isAt(one, row)))
  const movable = rest.filter(row => !found.placed.has(row.id) && !row.locked && (mode === 'replace' || row.weekday === null))
    .toSorted((a, b) => b.span - a.span || Number(a.weekday !== null) - Number(b.weekday !== null))
  for (const is_same_weeks of [true, false]) {
    for (const row of movable.filter(one => !found.placed.has(one.id))) {
      place(row, runOf(open, row.span, one => !is_same_weeks || weeksText(one.weeks) === weeksText(row.weeks)))
    }
  }
  const is_double = movable.some(row => row.span > 1 && !found.placed.has(row.id))
  const msg = is_double ? '任课设有连堂，文件中没有连续两节，请先修改连堂次数' : `超过周课时${open.length}节`
  found.issues.push(...open.map(({ at }) => ({ ...at, msg })))
}

function isAt({ weekday, section, weeks }: Known, row: LessonRow): boolean {
  const own = row.section ?? 0
  return weekday === row.weekday && section >= own && section < own + row.span && weeksText(weeks) === weeksText(row.weeks)
}

/** The first `span` entries in a row, of the same weeks, that all fit; [] where there are none. */
function runOf(open: readonly Known[], span: number, fits: (one: Known) => boolean): Known[] {
  const fitting = open.filter(fits)
  for (const first of fitting) {
    const run = Array.from({ length: span }, (_, at) => fitting.find(one =>
      one.weekday === first.weekday && one.section === first.section + at && weeksText(one.weeks) === weeksText(first.weeks)))
    const whole = run.flatMap(one => one ?? [])
    if (whole.length === span) return whole
  }
  return []
}
