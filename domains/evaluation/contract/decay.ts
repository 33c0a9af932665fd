/** 2^(-i/64) in 65,536ths: whole numbers, so that every machine and the database come to the same worth (chapter 55 rule 43). */
export const half_life_table: readonly number[] = [
  65_536, 64_830, 64_132, 63_441, 62_757, 62_081, 61_413, 60_751, 60_097, 59_449, 58_809, 58_176, 57_549, 56_929, 56_316, 55_709, 55_109,
  54_515, 53_928, 53_347, 52_773, 52_204, 51_642, 51_085, 50_535, 49_991, 49_452, 48_920, 48_393, 47_871, 47_356, 46_846, 46_341, 45_842,
  45_348, 44_859, 44_376, 43_898, 43_425, 42_958, 42_495, 42_037, 41_584, 41_136, 40_693, 40_255, 39_821, 39_392, 38_968, 38_548, 38_133,
  37_722, 37_316, 36_914, 36_516, 36_123, 35_734, 35_349, 34_968, 34_591, 34_219, 33_850, 33_486, 33_125,
]
const steps = 64
const whole = 65_536
const day_ms = 86_400_000
/** After so many half-lives less than a thousandth is left of anything. */
export const most_halvings = 30

type Decay = { decay: number; half_life_days: number | null }
const [by_half_life, by_term] = [1, 2] as const

/**
 * What is left of `milli` after whole days: half after each half-life; a star of the term is whole until the term ends. `term_end` null:
 * no term, it stays.
 */
export function worthAfter(milli: number, { decay, half_life_days }: Decay, days: number, is_term_over = false): number {
  if (decay === by_term) return is_term_over ? 0 : milli
  if (decay !== by_half_life || half_life_days === null || days <= 0) return milli
  const factor = half_life_table[Math.floor(((days % half_life_days) * steps) / half_life_days)] ?? whole
  const halvings = Math.min(Math.floor(days / half_life_days), most_halvings)
  return Math.trunc(Math.trunc((milli * factor) / whole) / 2 ** halvings)
}

/** The worth on a day of a star given on another (`YYYY-MM-DD`). */
export function worthOn(milli: number, decay: Decay, given: string, on: string, term_end: string | null): number {
  return worthAfter(milli, decay, Math.round((Date.parse(on) - Date.parse(given)) / day_ms), term_end !== null && on > term_end)
}

/** A star as it counts towards a level. */
export type Given = { day: string; milli: number; term_end: string | null }

/**
 * The first day on which the stars of one subject and indicator were worth a cut together; null: never. Worth grows on days of stars alone,
 * so no other day is looked at (chapter 55 rule 43).
 */
export function dayReached(given: readonly Given[], decay: Decay, cut: number): string | null {
  const days = [...new Set(given.map(one => one.day))].toSorted()
  const worthOf = (on: string) =>
    given.reduce((sum, { milli, day, term_end }) => (day > on ? sum : sum + worthOn(milli, decay, day, on, term_end)), 0)
  return days.find(day => worthOf(day) >= cut) ?? null
}
