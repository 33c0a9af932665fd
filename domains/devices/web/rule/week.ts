import type { DeviceRuleBody, DoorWindow } from '@campus/devices/contract'
import { foldFullWidth } from '@kit/contract/checks'

/** A window of a week as the editor has it; only doors have a mode and ways of verification. */
export type WeekWindow = { weekdays: boolean[]; begin: string; end: string; mode?: DoorWindow['mode']; verify?: number[] }
/** What a piece of time looks like. */
export type Brush = { mode?: DoorWindow['mode']; verify?: number[] }
type Piece = { from: number; to: number; brush: Brush }

export const day_minutes = 1440
export const weekday_names = ['一', '二', '三', '四', '五', '六', '日'] as const

/** The windows of a rule, whatever its kind. */
export function windowsOf(body: DeviceRuleBody): WeekWindow[] {
  return body.windows.map(window => ({ ...window }))
}

/** The pieces of each day, Monday first; what runs over midnight is on two days. */
export function daysOf(windows: readonly WeekWindow[]): Piece[][] {
  const days: Piece[][] = weekday_names.map(() => [])
  for (const { weekdays, begin, end, ...brush } of windows) {
    const [from, to] = [minuteOf(begin), minuteOf(end)]
    for (const [day, is_on] of weekdays.entries()) {
      if (!is_on) continue
      days[day]?.push({ from, to: to > from ? to : day_minutes, brush })
      if (to <= from && to > 0) days[(day + 1) % 7]?.push({ from: 0, to, brush })
    }
  }
  return days
}

/** The week with a rectangle of it painted over, or wiped where there is no brush. Days from 0 (Monday) to 6, both ends painted. */
export function paint(windows: readonly WeekWindow[], { day_from, day_to, from, to }: { day_from: number; day_to: number; from: number; to: number }, brush: Brush | null): WeekWindow[] {
  const days = daysOf(windows).map((pieces, day) => {
    if (day < day_from || day > day_to) return pieces
    const left = pieces.flatMap(piece => [{ ...piece, to: Math.min(piece.to, from) }, { ...piece, from: Math.max(piece.from, to) }]).filter(piece => piece.from < piece.to)
    return brush ? [...left, { from, to, brush }] : left
  })
  return gather(days.map(join))
}

/** Pieces that touch and say the same are one. */
function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && last.to === piece.from && keyOf(last.brush) === keyOf(piece.brush)) last.to = piece.to
    else joined.push({ ...piece })
  }
  return joined
}

/** Days with the same piece share a window. */
function gather(days: readonly Piece[][]): WeekWindow[] {
  const found = new Map<string, WeekWindow>()
  for (const [day, pieces] of days.entries()) {
    for (const { from, to, brush } of pieces) {
      const key = `${from} ${to} ${keyOf(brush)}`
      const window = found.get(key) ?? { weekdays: weekday_names.map(() => false), begin: clockOf(from), end: clockOf(to), ...brush }
      window.weekdays[day] = true
      found.set(key, window)
    }
  }
  return [...found.values()].toSorted((a, b) => a.begin.localeCompare(b.begin))
}

/** The weekdays in words: 周一至周五, 每天, 周六、周日. */
export function weekdaysText(weekdays: readonly boolean[]): string {
  const on = weekdays.flatMap((is_on, day) => (is_on ? [day] : []))
  const [first = 0, last = first] = [on[0], on.at(-1)]
  if (on.length === 7) return '每天'
  if (on.length > 2 && last - first === on.length - 1) return `周${weekday_names[first]}至周${weekday_names[last]}`
  return on.map(day => `周${weekday_names[day]}`).join('、')
}

/** A time as it is typed with a Chinese keyboard or in short: ８：３０, 8:30 and 0830 are 08:30; anything else stays as it is. */
export function readClock(typed: string): string {
  const text = foldFullWidth(typed).replaceAll('：', ':').trim()
  const short = /^([0-9]{1,2}):?([0-9]{2})$/u.exec(text)
  return short ? `${(short[1] ?? '').padStart(2, '0')}:${short[2] ?? ''}` : text
}

function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

function clockOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

function keyOf({ mode, verify = [] }: Brush): string {
  return `${mode ?? ''} ${verify.join()}`
}
