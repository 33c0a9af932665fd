import { minuteOf, schoolMoment } from '../rule/rule-at.ts'

const most_rows = 10
const most_port = 65_535
const mapping = /^([1-9]\d{0,4}):([1-9]\d{0,4})$/u
const window = /^[1-7] ([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/u

/** Whether port mappings are well formed: rows `outside:inside`, each port 1–65535, at most ten, no outside port twice (chapter 31 §7). */
export function areMappings(rows: readonly string[]): boolean {
  const pairs = rows.map(row => mapping.exec(row))
  const is_each = pairs.every(pair => pair !== null && Number(pair[1]) <= most_port && Number(pair[2]) <= most_port)
  return is_each && rows.length <= most_rows && new Set(pairs.map(pair => pair?.[1])).size === rows.length
}

/** Whether rows `weekday HH:mm-HH:mm` (Monday 1, half open, `24:00` for midnight) say when a door is shut. */
export function isSchedule(rows: readonly string[]): boolean {
  return rows.length <= most_rows && rows.every(row => window.test(row) && startOf(row) < endOf(row))
}

/** Whether the terminal's own schedule shuts its door at an instant. */
export function isShutAt(rows: readonly string[], at: Date): boolean {
  const { weekday, minute } = schoolMoment(at)
  return rows.some(row => Number(row[0]) === weekday && startOf(row) <= minute && minute < endOf(row))
}

function startOf(row: string): number {
  return minuteOf(row.slice(2, 7))
}

function endOf(row: string): number {
  return minuteOf(row.slice(8))
}
