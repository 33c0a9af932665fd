import { addDays, schoolMoment, startOfDate, weekdayOfDate } from '@kit/terminal-protocol'
import { assignedAt, assignedSpans, lists } from './assigned.ts'
import { isPickedUp, isUsedUp } from './decide.ts'
import type { Door, Facts, Span, Subject, Temporary, Way } from './facts.ts'
import { dayMinutes, merged, versionAt } from './minutes.ts'
import type { Minutes } from './minutes.ts'

type Weekday = '1' | '2' | '3' | '4' | '5' | '6' | '7'
type Weekly = Partial<Record<Weekday, string[]>>
/** When a door opens: an absolute range, narrowed by times of the week; `max_times` for one-off rights. */
export type Window = { from: string; to: string; weekly?: Weekly; max_times?: number }
/** What a terminal is given for one person, door and direction; it is exact until `until` (epoch ms). */
export type Compiled = { windows: Window[]; until: number }

type Piece = Span & { weekly: Weekly | null; max_times?: number }
type Open = { version: number; rule_id: string; grade: string | null; direction: Way; minutes: (date: string) => Minutes[] }

/** A grant holds at most twenty windows; the rest of the horizon waits for the next compile. */
const [most_windows, most_pieces] = [20, 12] as const
const whole_day = '00:00-24:00'
const weekdays: readonly Weekday[] = ['1', '2', '3', '4', '5', '6', '7']

/** Compiles standing rules, shared by everybody in the same case: each different case is worked out once. */
export class Compiler {
  readonly #known = new Map<string, Piece[]>()
  readonly #facts: Facts
  readonly #horizon: Span
  readonly #now: number

  /** @param horizon whole days that are compiled; what has passed at `now` is left out */
  constructor(facts: Facts, horizon: Span, now: number) {
    this.#facts = facts
    this.#horizon = horizon
    this.#now = now
  }

  /** Rungs 1 to 8 for one person, door and direction as windows: what decide() says of every minute of the horizon (R18, R19). */
  compile(subject: Subject, door: Door, direction: Way): Compiled {
    const { to } = this.#horizon
    const pieces = isPickedUp(this.#facts, subject, door, direction) ? [] : this.#standing(subject, door, direction)
    const last = pieces[most_pieces]
    let windows: Piece[] = pieces.slice(0, most_pieces)
    for (const levels of subject.levels.toReversed()) windows = overlaid(windows, levels.flatMap(level => this.#facts.temporaries.get(level) ?? []), door, direction)
    const own = this.#facts.temporaries.get(subject.user_id) ?? []
    windows = overlaid(windows, own, door, direction)
    const bans = (this.#facts.bans.get(subject.user_id) ?? []).filter(ban => ban.directions.includes(direction) && (ban.place_id === null || door.path.includes(ban.place_id)))
    for (const ban of bans) windows = without(windows, ban)
    windows = subject.live.flatMap(span => windows.flatMap(window => clipped(window, span)))
    const kept = windows.flatMap(window => clipped(window, { from: -Infinity, to })).filter(window => window.to > this.#now).toSorted((a, b) => a.from - b.from || a.to - b.to)
    const too_many = kept[most_windows]
    return { windows: kept.slice(0, most_windows).map(windowOf), until: Math.min(to, last?.from ?? to, too_many?.from ?? to) }
  }

  /** Rungs 6 and 7: from one change of what applies to the next, as few pieces as the calendar allows. */
  #standing(subject: Subject, door: Door, direction: Way): Piece[] {
    const key = JSON.stringify([subject.person_kind, [subject, ...subject.wards].map(one => [one.levels, one.grade, one.study_method, one.by_bus, one.tag_ids, (this.#facts.user_rules.get(one.user_id) ?? []).map(rule => rule.id)]), door.path, direction])
    const known = this.#known.get(key)
    if (known) return known
    const { from, to } = this.#horizon
    const ends = assignedSpans(this.#facts, subject).flatMap(span => [span.from, span.to]).filter(at => at > from && at < to)
    const starts = [...new Set([from, ...ends])].toSorted((a, b) => a - b)
    const segments: { from: number; open: Open[]; name: string }[] = []
    for (const at of starts) {
      const open = this.#openAt(subject, door, direction, at)
      const name = [...new Set(open.map(one => `${one.rule_id} ${one.version} ${one.grade}`))].toSorted().join()
      if (segments.at(-1)?.name !== name) segments.push({ from: at, open, name })
    }
    const spans = segments.map((segment, at) => ({ ...segment, to: segments[at + 1]?.from ?? to }))
    const pieces = spans.filter(segment => segment.to > this.#now).flatMap(segment => this.#pieces(segment))
    this.#known.set(key, pieces)
    return pieces
  }

  #openAt(subject: Subject, door: Door, direction: Way, at: number): Open[] {
    return assignedAt(this.#facts, subject, at).filter(({ assignment }) => lists(assignment, door, direction)).flatMap(({ assignment: { rule_id }, grade }) => {
      const version = versionAt(this.#facts.rules.get(rule_id), at)
      return version ? [{ rule_id, version: version.version, grade, direction, minutes: (date: string) => dayMinutes(version, this.#facts.calendar, { grade, date, direction }) }] : []
    })
  }

  /** Runs of equal weeks: each weekday occurs once in seven dates, so a week states any calendar exactly (chapter 35, idea 2). */
  #pieces({ from, to, open, name }: Span & { open: readonly Open[]; name: string }): Piece[] {
    if (open.length === 0) return []
    const key = `${from} ${to} ${name} ${open[0]?.direction ?? ''}`
    const known = this.#known.get(key)
    if (known) return known
    const made: Piece[] = []
    const until = schoolMoment(new Date(to - 1)).date
    let days = new Map<Weekday, string[]>()
    let begin = from
    const close = (end: number) => {
      if (end > begin && [...days.values()].some(day => day.length > 0)) made.push({ from: begin, to: end, weekly: weekOf(days) })
    }
    for (let date = schoolMoment(new Date(from)).date; date <= until; date = addDays(date, 1)) {
      const weekday = weekdays[weekdayOfDate(date) - 1] ?? '1'
      const times = merged(open.flatMap(one => one.minutes(date))).map(([a, b]) => `${clock(a)}-${clock(b)}`)
      const before = days.get(weekday)
      if (before !== undefined && before.join() !== times.join()) {
        close(startOfDate(date).getTime())
        begin = startOfDate(date).getTime()
        days = new Map()
      }
      days.set(weekday, times)
    }
    close(to)
    const left = made.filter(piece => piece.to > this.#now)
    this.#known.set(key, left)
    return left
  }
}

/** Null where it is the whole day, every day. */
function weekOf(days: ReadonlyMap<Weekday, string[]>): Weekly | null {
  if ([...days.values()].every(day => day.join() === whole_day)) return null
  return Object.fromEntries(weekdays.flatMap(weekday => ((days.get(weekday)?.length ?? 0) > 0 ? [[weekday, days.get(weekday)]] : [])))
}

/** One level of temporary rules laid over what is below it: its rights open, its denials close. */
function overlaid(below: readonly Piece[], rules: readonly Temporary[], { path }: Door, direction: Way): Piece[] {
  const here = rules.filter(one => one.directions.includes(direction) && (one.place_ids.length === 0 || path.some(place_id => one.place_ids.includes(place_id))))
  const opened = here.filter(one => one.effect === 'allow' && !isUsedUp(one)).map(({ from, to, max_times }): Piece => ({ from, to, weekly: null, ...(max_times === null ? {} : { max_times }) }))
  let pieces = [...below, ...opened]
  for (const denied of here.filter(one => one.effect === 'deny')) pieces = without(pieces, denied)
  return pieces
}

function without(pieces: readonly Piece[], hole: Span): Piece[] {
  return pieces.flatMap(piece => [...clipped(piece, { from: -Infinity, to: hole.from }), ...clipped(piece, { from: hole.to, to: Infinity })])
}

function clipped(piece: Piece, { from, to }: Span): Piece[] {
  const [begin, end] = [Math.max(piece.from, from), Math.min(piece.to, to)]
  return begin < end ? [{ ...piece, from: begin, to: end }] : []
}

function windowOf({ from, to, weekly, max_times }: Piece): Window {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...(weekly ? { weekly } : {}), ...(max_times === undefined ? {} : { max_times }) }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
