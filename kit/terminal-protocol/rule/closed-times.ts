import type { PermissionBody } from '../jdev/row.ts'
import { permissionId } from '../permission-id.ts'
import type { DoorRuleBody, DoorSpan } from './body.ts'
import { addDays, minuteOf, startOfDate, weekdayOfDate } from './rule-at.ts'

type Minutes = readonly [from: number, to: number]
/** By weekday, Monday 1. */
type Weekly = Readonly<Partial<Record<number, readonly string[]>>>
type Week = ReadonlyMap<number, readonly Minutes[]>
/** Days with one and the same week of closed times; the first has no beginning and the last no end, so that what does not change has one name for ever. */
export type ClosedPart = { from: string | null; to: string | null; closed: Week }

const day_minutes = 1440
const whole_day: readonly Minutes[] = [[0, day_minutes]]
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/**
 * When a door is closed to everybody, for hardware that knows no rules: as few parts as there are kinds of weeks. None when it never is.
 */
export function closedParts({ dates, weekly }: Pick<DoorRuleBody, 'dates' | 'weekly'>): ClosedPart[] {
  const days = dates.map(({ date, windows }) => ({ from: date, week: new Map([[weekdayOfDate(date), closedOf(windows)]]) }))
  const after = { from: addDays(dates.at(-1)?.date ?? '1970-01-01', 1), week: new Map(weekdays.map(weekday => [weekday, closedOf(weekly[weekday] ?? [])])) }
  const parts: { from: string | null; week: Map<number, readonly Minutes[]> }[] = []
  for (const { from, week } of [...days, after]) {
    const last = parts.at(-1)
    if (last && [...week].every(([weekday, closed]) => isSame(last.week.get(weekday) ?? closed, closed))) for (const [weekday, closed] of week) last.week.set(weekday, closed)
    else parts.push({ from: parts.length === 0 ? null : from, week: new Map(week) })
  }
  const split = parts.map(({ from, week }, at): ClosedPart => ({ from, to: parts[at + 1]?.from ?? null, closed: week }))
  return split.some(part => isClosedEver(part.closed)) ? split : []
}

/** A permission without the times at which the door is closed: each part is a permission of its own, named by its content (chapter 30 rule 18). */
export function withoutClosed(permission: PermissionBody, parts: readonly ClosedPart[]): PermissionBody[] {
  return parts.flatMap(({ from, to, closed }) => {
    const range = { from: later(permission.from, from), to: earlier(permission.to, to) }
    if (Date.parse(range.from) >= Date.parse(range.to)) return []
    const weekly = isClosedEver(closed) ? openWeek(permission.weekly, closed) : permission.weekly
    if (weekly !== undefined && Object.keys(weekly).length === 0) return []
    const { id: _id, weekly: _weekly, ...rest } = permission
    const content = { ...rest, ...range, ...(weekly === undefined ? {} : { weekly }) }
    return [{ id: permissionId(content), ...content }]
  })
}

function openWeek(weekly: Weekly | undefined, closed: Week): NonNullable<PermissionBody['weekly']> {
  const days = weekdays.flatMap(weekday => {
    const open = weekly === undefined ? whole_day : spansOf(weekly, weekday)
    const left = open.flatMap(span => without(span, closed.get(weekday) ?? []))
    return left.length === 0 ? [] : [[String(weekday), left.map(([from, to]) => `${clock(from)}-${clock(to)}`)] as const]
  })
  return Object.fromEntries(days)
}

/** The times of one weekday; what runs over midnight ends at midnight here and begins the next day. */
function spansOf(weekly: Weekly, weekday: number): Minutes[] {
  const over = minutesOf(weekly, weekday === 1 ? 7 : weekday - 1).flatMap(([from, to]): Minutes[] => (to < from && to > 0 ? [[0, to]] : []))
  return [...over, ...minutesOf(weekly, weekday).map(([from, to]): Minutes => [from, to > from ? to : day_minutes])]
}

function minutesOf(weekly: Weekly, weekday: number): Minutes[] {
  return (weekly[weekday] ?? []).map(window => {
    const [from = 0, to = 0] = window.split('-').map(minuteOf)
    return [from, to]
  })
}

function isClosedEver(week: Week): boolean {
  return [...week.values()].some(day => day.length > 0)
}

function without(span: Minutes, holes: readonly Minutes[]): Minutes[] {
  let left = [span]
  for (const [from, to] of holes) left = left.flatMap(([a, b]): Minutes[] => [[a, Math.min(b, from)], [Math.max(a, to), b]]).filter(([a, b]) => a < b)
  return left
}

function closedOf(windows: readonly DoorSpan[]): Minutes[] {
  return windows.filter(window => window.mode === 'always_closed').map(({ from, to }): Minutes => [minuteOf(from), minuteOf(to)])
}

function isSame(a: readonly Minutes[], b: readonly Minutes[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function later(iso: string, date: string | null): string {
  if (date === null) return iso
  const start = startOfDate(date)
  return Date.parse(iso) >= start.getTime() ? iso : start.toISOString()
}

function earlier(iso: string, date: string | null): string {
  if (date === null) return iso
  const start = startOfDate(date)
  return Date.parse(iso) <= start.getTime() ? iso : start.toISOString()
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
