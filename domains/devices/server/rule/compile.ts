import type { CalendarDay, DeviceRuleBody, DoorWindow } from '@campus/devices/contract'
import { addDays, minuteOf, RuleBody, weekdayOfDate } from '@kit/terminal-protocol'
import type { DoorSpan, SleepSpan, Span } from '@kit/terminal-protocol'
import { calendarDay, daysFrom } from './days.ts'

/** A rule that is in force at a device. */
export type RuleFact = { rule_id: string; priority: number; valid_from: string; valid_to: string | null; calendar_mode: 'every_day' | 'workdays_with_make_up'; body: DeviceRuleBody }
/** Weeks that a device is told day by day, so that it knows sixty days whatever day of the week it is (chapter 30 rule 19). */
const told_days = 70

/** What a piece of time says: of doors how they stand, of screens how they sleep, of what goes off nothing more. */
type Said = Partial<Omit<DoorSpan & SleepSpan, 'from' | 'to'>>
type Piece = { from: number; to: number; rule: RuleFact; said: Said }
type Day = Pick<CalendarDay, 'date' | 'weekday' | 'kind' | 'follows_weekday'>

const day_minutes = 1440
const mode_order: readonly string[] = ['normal', 'always_open', 'always_closed']
const wire_kinds = { 1: 'door', 2: 'close', 3: 'sleep' } as const

/**
 * What a device is told of its rules of one kind: day by day from a Monday on, and a week for the days after. Where rules meet, the greater priority wins, then closed before open before normal
 * (chapter 30 rule 18). Pure: the same rules give the same body in any order; undefined without rules.
 */
export function compileRules(rules: readonly RuleFact[], monday: string): RuleBody | undefined {
  const [first] = rules.toSorted(byRank)
  if (!first) return undefined
  const days = daysFrom(monday, told_days)
  const dates = days.map(day => ({ date: day.date, windows: windowsOn(rules, day) }))
  const lasting = rules.filter(rule => rule.valid_to === null).map(rule => ({ ...rule, calendar_mode: 'every_day' as const }))
  const after = addDays(monday, told_days)
  const weekly = Object.fromEntries(daysFrom(after, 7).map(({ date, weekday }) => [String(weekday), windowsOn(lasting, { date, weekday, kind: 'workday', follows_weekday: null })]))
  return RuleBody.parse({ kind: wire_kinds[first.body.kind], ...ofDoor(first.body), dates, weekly })
}

/** The times of one day as they are shown: from, to and what is then. */
export function timesOn(rules: readonly RuleFact[], date: string): { from: string; to: string; mode: DoorWindow['mode'] | 'off' | 'sleep' }[] {
  const kind = rules[0]?.body.kind
  return windowsOn(rules, calendarDay(date)).map(window => ({ from: window.from, to: window.to, mode: window.mode ?? (kind === 2 ? 'off' : 'sleep') }))
}

function ofDoor(body: DeviceRuleBody) {
  if (body.kind !== 1) return {}
  const { unlock_sec, held_open_sec, fire_opens } = body
  return { unlock_sec, held_open_sec, fire_opens }
}

/** The times of a day, cut where they meet and joined where they say the same. */
function windowsOn(rules: readonly RuleFact[], day: Day): (Span & Said)[] {
  const before = calendarDay(addDays(day.date, -1))
  const pieces = rules.flatMap(rule => [
    ...piecesOf(rule, day).map(piece => ({ ...piece, to: Math.min(piece.to, day_minutes) })),
    ...piecesOf(rule, before).filter(piece => piece.to > day_minutes).map(piece => ({ ...piece, from: 0, to: piece.to - day_minutes })),
  ])
  const edges = [...new Set(pieces.flatMap(piece => [piece.from, piece.to]))].toSorted((a, b) => a - b)
  const found: { from: number; to: number; said: Said }[] = []
  for (const [at, from] of edges.entries()) {
    const to = edges[at + 1]
    const [best] = pieces.filter(piece => piece.from <= from && from < piece.to).toSorted((a, b) => b.rule.priority - a.rule.priority || modeOf(b) - modeOf(a) || byRank(a.rule, b.rule))
    const last = found.at(-1)
    if (to === undefined || !best) continue
    if (last && last.to === from && JSON.stringify(last.said) === JSON.stringify(best.said)) last.to = to
    else found.push({ from, to, said: best.said })
  }
  return found.map(({ from, to, said }) => ({ from: clock(from), to: clock(to), ...said }))
}

/** What a rule says of the day on which its windows begin; they may end on the next one, after minute 1440. */
function piecesOf(rule: RuleFact, day: Day): Piece[] {
  const weekday = actingWeekday(rule, day)
  if (weekday === null) return []
  return rule.body.windows.filter(window => window.weekdays[weekday - 1]).map(window => {
    const [from, to] = [minuteOf(window.begin), minuteOf(window.end)]
    return { from, to: to > from ? to : to + day_minutes, rule, said: saidBy(rule.body, window) }
  })
}

/** By which weekday a rule goes on a day; null: it rests. */
function actingWeekday({ valid_from, valid_to, calendar_mode, body }: RuleFact, { date, kind, follows_weekday }: Day): number | null {
  if (date < valid_from || (valid_to !== null && date > valid_to)) return null
  if (body.kind === 2 && body.stays_on.includes(date)) return null
  if (calendar_mode === 'every_day') return weekdayOfDate(date)
  if (kind === 'holiday') return null
  return follows_weekday ?? weekdayOfDate(date)
}

function saidBy(body: DeviceRuleBody, window: DeviceRuleBody['windows'][number]): Said {
  if (body.kind === 1 && 'mode' in window) return { mode: window.mode, verify: window.verify.toSorted((a, b) => a - b) }
  if (body.kind === 3) return { idle_minutes: body.idle_minutes, brightness: body.brightness, wake_on: body.wake_on }
  return {}
}

function byRank(a: RuleFact, b: RuleFact): number {
  return b.priority - a.priority || (BigInt(a.rule_id) < BigInt(b.rule_id) ? -1 : 1)
}

function modeOf({ said }: Piece): number {
  return mode_order.indexOf(said.mode ?? 'normal')
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
