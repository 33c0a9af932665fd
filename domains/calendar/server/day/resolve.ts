import { holiday_kinds, stageOf, weekdayOf, weekKindOf, weekOf, whole_school } from '@campus/calendar/contract'
import type { SchoolDay } from '@campus/calendar/contract'

export type Term = { id: number; term: string; begin_date: string; end_date: string; odd_first: boolean }
/** What is set upon days, `closed_from` and `closed_to` in minutes. */
export type SpecialFact = {
  begin_date: string
  end_date: string
  kind: number
  name: string
  scope_kind: string
  scope_codes: readonly string[]
  follows_date: string | null
  follows_weekday: number | null
  follows_week_kind: number | null
  closed_from: number | null
  closed_to: number | null
  bell_id: string | null
  source: string
}
/** `valid_to` excluded. */
export type UseFact = { bell_id: string; grade: string; weekday: number; valid_from: string; valid_to: string | null }
/** Everything from which a day follows. */
export type World = { terms: readonly Term[]; specials: readonly SpecialFact[]; uses: readonly UseFact[] }

const [saturday, june, september] = [6, 6, 9]
const { make_up, weekend, winter, summer, teaching, exam, activity } = holiday_kinds
/** Kinds that lie over a teaching day (chapter 50 rule 3). */
const overlays: readonly number[] = [exam, activity]
const longest_label = 60
export const unset_follow = '未指定补哪天的课'

/** What a day is for a grade: the one place where it is decided (chapter 50 §3.1, rules 1 to 4, 6, 8). */
export function resolveDay({ terms, specials, uses }: World, date: string, grade: string): SchoolDay {
  const term = termOf(terms, date)
  const found = specials.filter(one => holds(one, date, grade))
  const main = found.filter(one => !overlays.includes(one.kind) && one.closed_from === null).toSorted((a, b) => rank(b) - rank(a))[0]
  const base = baseKind(terms, term, date, main)
  const is_school_day = term !== undefined && (base === make_up || base === teaching)
  const over = found.filter(one => overlays.includes(one.kind) || one.closed_from !== null).toSorted((a, b) => rank(b) - rank(a))
  const shown = is_school_day ? over.find(one => overlays.includes(one.kind)) : undefined
  const plan = is_school_day ? planOf(terms, term, date, base === make_up ? main : undefined) : no_plan
  const own_bell = [...over, ...(main ? [main] : [])].find(one => one.bell_id !== null)?.bell_id ?? null
  const labels = [...(main && base === main.kind ? [main.name] : []), ...over.map(one => one.name), ...(base === make_up && plan.plan_weekday === null ? [unset_follow] : [])]
  return {
    date, grade,
    semester_id: term?.id ?? null,
    week_no: term ? weekOf(date, term.begin_date) : null,
    // A make-up day stays one, whatever lies over it: its plan follows another day.
    day_kind: base === make_up ? base : (shown?.kind ?? base),
    is_school_day,
    ...plan,
    bell_id: is_school_day ? (own_bell ?? bellOn(uses, date, grade, plan.plan_weekday ?? weekdayOf(date))) : null,
    closed: is_school_day ? mergeSpans(over.flatMap(({ closed_from, closed_to }) => (closed_from === null || closed_to === null ? [] : [[closed_from, closed_to] as const]))) : [],
    label: labels.join('、').slice(0, longest_label),
  }
}

/** The term that holds a day. */
export function termOf<T extends { begin_date: string; end_date: string }>(terms: readonly T[], date: string): T | undefined {
  return terms.find(({ begin_date, end_date }) => begin_date <= date && date <= end_date)
}

const no_plan = { plan_date: null, plan_weekday: null, plan_week_no: null, plan_week_kind: null }

/** Which weekday of which week runs; an ordinary day follows itself (chapter 50 rule 4). */
function planOf(terms: readonly Term[], term: Term, date: string, special: SpecialFact | undefined): Pick<SchoolDay, 'plan_date' | 'plan_weekday' | 'plan_week_no' | 'plan_week_kind'> {
  if (special && special.follows_date === null && special.follows_weekday === null) return no_plan
  const followed = special?.follows_date ?? date
  const home = termOf(terms, followed) ?? term
  const plan_week_no = weekOf(followed, home.begin_date)
  return {
    plan_date: special?.follows_date ?? null,
    plan_weekday: special?.follows_weekday ?? weekdayOf(followed),
    plan_week_no,
    plan_week_kind: special?.follows_week_kind ?? weekKindOf(plan_week_no, home.odd_first),
  }
}

function holds({ begin_date, end_date, scope_kind, scope_codes }: SpecialFact, date: string, grade: string): boolean {
  if (date < begin_date || date > end_date) return false
  if (scope_kind === 'school') return true
  if (grade === whole_school) return false
  return scope_codes.includes(scope_kind === 'stage' ? (stageOf(grade) ?? '') : grade)
}

/** Grade before stage before school before the national calendar (chapter 50 rule 3). */
function rank({ scope_kind, source }: SpecialFact): number {
  if (scope_kind === 'grade') return 300
  if (scope_kind === 'stage') return 200
  return source === 'school' ? 100 : 0
}

function baseKind(terms: readonly Term[], term: Term | undefined, date: string, main: SpecialFact | undefined): number {
  // Outside every term nothing is made up.
  if (main && (term || (main.kind !== make_up && main.kind !== teaching))) return main.kind
  if (!term) return vacationOf(terms, date)
  return weekdayOf(date) >= saturday ? weekend : teaching
}

/** 寒假 or 暑假, by the term that comes next; where none is known yet by the month. */
function vacationOf(terms: readonly Term[], date: string): number {
  const next = terms.filter(({ begin_date }) => begin_date > date).toSorted((a, b) => (a.begin_date < b.begin_date ? -1 : 1))[0]
  if (next) return next.term === '1' ? summer : winter
  const month = Number(date.slice(5, 7))
  return month >= june && month <= september ? summer : winter
}

/** The bell that rings for a grade on a weekday. */
export function bellOn(uses: readonly UseFact[], date: string, grade: string, weekday: number): string | null {
  return uses.find(use => use.grade === grade && use.weekday === weekday && use.valid_from <= date && (use.valid_to === null || date < use.valid_to))?.bell_id ?? null
}

/** Half-open minutes in order, those that touch as one. */
export function mergeSpans(spans: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [begin, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([begin, end])
  }
  return merged
}
