/** A time span in epoch milliseconds, half open; `to` is Infinity where it has no end. */
export type Span = { from: number; to: number }
/** 1 in, 2 out (DEVICE_DIRECTION without 双向). */
export type Way = 1 | 2

/** On which days a period holds (chapter 35 R3). */
export const day_match = { teaching: 1, returning: 2, releasing: 3, resting: 4, every: 5, iso: 6 } as const

/** One period of a rule: minutes of the day it begins on, at most 1440 long; `end_min` above 1440 crosses midnight. */
export type Period = { direction: Way; day_match: number; week_flags: readonly boolean[] | null; begin_min: number; end_min: number }
/** What replaces every period of a rule on one date: closed, or a period of its own (R4). */
export type RuleDate = { date: string; closed: boolean; direction: Way | null; begin_min: number | null; end_min: number | null }
export type Version = Span & { version: number; periods: readonly Period[]; dates: readonly RuleDate[] }
export type Rule = { rule_id: string; rule_name: string; enabled: boolean; versions: readonly Version[] }

/** That somebody goes by a rule at places; a place means all doors at and below it. */
export type Assignment = Span & { id: string; scene: number; rule_id: string; in_place_ids: readonly string[]; out_place_ids: readonly string[] }
/** `level`: `d` and a department, or `g` and a grade. A filter that is null takes everybody. */
export type DeptRule = Assignment & { level: string; study_method: string | null; by_bus: boolean | null; tag_id: string | null }
/** mode 1 replaces what the departments say, 2 adds to it. */
export type UserRule = Assignment & { user_id: string; mode: number }
/** A one-off right or denial of people or departments; no place: every door. */
export type Temporary = Span & { id: string; effect: 'allow' | 'deny'; directions: readonly Way[]; user_ids: readonly string[]; levels: readonly string[]; place_ids: readonly string[]; max_times: number | null; used: number; reason: string; source: number }
export type Ban = Span & { id: string; user_id: string; directions: readonly Way[]; place_id: string | null; reason: string }

/** Somebody at the time that is asked about. `levels`: his departments, the nearest first, several where he has several. `wards`: children whose right a parent has. */
export type Subject = {
  user_id: string
  user_name: string
  person_kind: number
  live: readonly Span[]
  levels: readonly (readonly string[])[]
  grade: string | null
  study_method: string | null
  by_bus: boolean
  tag_ids: readonly string[]
  wards: readonly Subject[]
}

/** A door: its place and those above it, and whether it leads out of the school. */
export type Door = { place_id: string; path: readonly string[]; is_perimeter: boolean }

/** What a date is for a grade: whether it is taught, and whose weekday it follows (Monday 1). */
export type DayFact = { is_teaching: boolean; weekday: number }
export type Calendar = (grade: string | null, date: string) => DayFact

/** Everything that decides who may pass. */
export type Facts = {
  calendar: Calendar
  rules: ReadonlyMap<string, Rule>
  dept_rules: readonly DeptRule[]
  user_rules: ReadonlyMap<string, readonly UserRule[]>
  /** by user, and by level */
  temporaries: ReadonlyMap<string, readonly Temporary[]>
  bans: ReadonlyMap<string, readonly Ban[]>
  /** grades whose children leave only after a guardian's pass (R55) */
  pickup_grades: ReadonlySet<string>
  /** when every way out of the school is open (R12) */
  evacuations: readonly Span[]
}

export const scenes = { student: 1, staff: 2, pickup: 3, dorm: 4 } as const
export const kinds = { student: 1, staff: 2, parent: 3 } as const
export const boarder = '2'

/** Whether an instant lies in a span. */
export function covers({ from, to }: Span, at: number): boolean {
  return from <= at && at < to
}
