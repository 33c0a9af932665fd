import { holiday_kinds } from '@campus/calendar/contract'
import holidays from '../data/holidays.json' with { type: 'json' }

/** A day or span of the national calendar as a school sets it. */
export type NationalSpecial = { name: string; begin_date: string; end_date: string; kind: number }

/** Holidays and make-up days of a year by the notices of the State Council, in their order; empty while the notice is not known. */
export function nationalSpecials(year: number): NationalSpecial[] {
  const found = holidays.filter(holiday => holiday.year === year).flatMap(({ name, begin_date, end_date, workdays }) => [
    { name, begin_date, end_date, kind: holiday_kinds.national },
    ...workdays.map(day => ({ name: `${name}调休上班`, begin_date: day, end_date: day, kind: holiday_kinds.make_up })),
  ])
  return found.toSorted((a, b) => (a.begin_date < b.begin_date ? -1 : 1))
}

type Known = { id: string; row_version: number; name: string; begin_date: string; end_date: string; kind: number; source: string; scope_kind: string; closed_from: number | null }
/** `known`: the row that stands on these days already. */
export type NationalVerdict = NationalSpecial & { verdict: 'new' | 'same' | 'update' | 'kept'; known: Known | null }

const last_whole_day_kind = 8

/** What loading a year would do: a row that the school has made its own is kept (chapter 50 rule 5). */
export function judgeNational(planned: readonly NationalSpecial[], known: readonly Known[]): NationalVerdict[] {
  return planned.map(one => {
    const there = known.filter(row => row.scope_kind === 'school' && row.closed_from === null && row.kind <= last_whole_day_kind && row.begin_date <= one.end_date && one.begin_date <= row.end_date)
    const [first] = there
    if (!first) return { ...one, verdict: 'new', known: null }
    if (there.length > 1 || first.source === 'school') return { ...one, verdict: 'kept', known: first }
    const is_same = first.name === one.name && first.begin_date === one.begin_date && first.end_date === one.end_date && first.kind === one.kind
    return { ...one, verdict: is_same ? 'same' : 'update', known: first }
  })
}
