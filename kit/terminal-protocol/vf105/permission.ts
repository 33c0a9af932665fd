import type { PermissionBody } from '../jdev/row.ts'
import { permissionId } from '../permission-id.ts'

type Weekly = NonNullable<PermissionBody['weekly']>
type Times = Pick<PermissionBody, 'from' | 'to' | 'weekly'>
const [day_minutes, minute_ms, week_days] = [1440, 60_000, 7]
const [by_range, by_week] = [1, 3]
/** Nobody passes by a permission that is judged by the school: its range is over before it begins, so that the device asks. */
const never = { beginTime: 1, endTime: 1 }

/** The wire's row of a permission; its id is its content, so it never changes (chapter 31 §5.7.3). */
export function permissionRow({ id, from, to, weekly, online }: PermissionBody, hash: string) {
  const range = online ? never : { beginTime: seconds(from), endTime: seconds(to) - 1 }
  const time = weekly && !online ? { type: by_week, range, weekPeriodTime: wireWeek(weekly) } : { type: by_range, range }
  return { permissionId: id, index: 0, time, extra: { h: hash } }
}

/**
 * Times of the week as the device has them: `H:MM-H:MM` joined by `|`, Monday 1. Its ends are inclusive (assumption of §5.9), so each is sent one minute
 * earlier; what runs over midnight is two windows.
 */
export function wireWeek(weekly: Weekly): Record<string, string> {
  const days = new Map<number, [number, number][]>()
  const add = (day: number, from: number, to: number) => {
    if (to > from) days.set(day, [...(days.get(day) ?? []), [from, to]])
  }
  for (const [day, windows = []] of Object.entries(weekly)) {
    for (const window of windows) {
      const [from = 0, to = 0] = window.split('-').map(minutes)
      add(Number(day), from, to > from ? to : day_minutes)
      if (to <= from) add((Number(day) % week_days) + 1, 0, to)
    }
  }
  return Object.fromEntries([...days].toSorted(([a], [b]) => a - b).map(([day, windows]) => [String(day), windows.toSorted(([a], [b]) => a - b).map(([from, to]) => `${clock(from)}-${clock(to - 1)}`).join('|')]))
}

/** A range with holes (holidays, half open, ISO) is several permissions, each named by its own content. */
export function splitByHoles(times: Times, holes: readonly Pick<Times, 'from' | 'to'>[]): PermissionBody[] {
  let parts: Pick<Times, 'from' | 'to'>[] = [{ from: times.from, to: times.to }]
  for (const hole of holes) parts = parts.flatMap(part => [{ from: part.from, to: earlier(part.to, hole.from) }, { from: later(part.from, hole.to), to: part.to }].filter(one => Date.parse(one.from) < Date.parse(one.to)))
  return parts.map(part => {
    const content = { door: 1, ...part, ...(times.weekly ? { weekly: times.weekly } : {}) }
    return { id: permissionId(content), ...content }
  })
}

function earlier(a: string, b: string): string {
  return Date.parse(a) <= Date.parse(b) ? a : b
}

function later(a: string, b: string): string {
  return Date.parse(a) >= Date.parse(b) ? a : b
}

function seconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000)
}

function minutes(text: string): number {
  const [hours = 0, rest = 0] = text.split(':').map(Number)
  return hours * (minute_ms / 1000) + rest
}

function clock(at: number): string {
  return `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`
}
