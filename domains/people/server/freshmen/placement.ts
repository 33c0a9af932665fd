import { evenShare, topScore } from '@campus/people/contract'
import type { PlaceChild, PlaceClass } from '@campus/people/contract'
import { lotOf } from './lot.ts'
import type { Lot } from './lot.ts'

/**
 * Placement of children into parallel classes (chapter 20 rule 30). Hard: sizes and numbers of boys differ by one at most, rooms, who belongs together
 * or apart, who stays where he is. Soft, in this order: means of the scores, the best tenth, left-behind children, boarders. The same children,
 * classes and seed give the same classes.
 */
export function placeChildren(children: readonly PlaceChild[], classes: readonly PlaceClass[], seed: string): Map<string, string> {
  const lot = lotOf(seed)
  const desk = deskOf(children, classes, lot)
  seatAll(desk)
  repairAll(desk, lot)
  soften(desk, lot)
  return new Map(desk.units.flatMap(unit => unit.children.map(child => [child.id, classes[unit.at]?.dept_id ?? ''] as const)))
}

const repair_rounds = 40
const shaken = 6
const soft_tries = 24_000
/** Means that differ by less than half a point count as equal, or nothing behind them in the order would ever be looked at. */
const mean_steps = 2

/** Children who go together; `at` = index of their class. */
type Unit = { children: readonly PlaceChild[]; size: number; boys: number; aparts: readonly string[]; is_fixed: boolean; at: number }
type Seat = { size: number; boys: number; score: number; scored: number; top: number; left_behind: number; boarders: number; aparts: Map<string, number> }
type Bounds = { low: number; high: number; boys_low: number; boys_high: number }
type Desk = { units: Unit[]; seats: Seat[]; bounds: Bounds[]; best: number }

function deskOf(children: readonly PlaceChild[], classes: readonly PlaceClass[], lot: Lot): Desk {
  const known = new Map(classes.map(({ dept_id }, at) => [dept_id, at]))
  const ordered = lot.shuffled(children.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  const twins = [...Map.groupBy(ordered, child => (child.twin_group === null ? child.id : `twin ${child.twin_group}`)).values()]
  // Who stays in different classes cannot be brought together.
  const groups = twins.flatMap(list => (new Set(list.flatMap(child => child.fixed ?? [])).size > 1 ? list.map(child => [child]) : [list]))
  const units = groups.map((list): Unit => {
    const fixed = list.find(child => child.fixed !== null)?.fixed
    return { children: list, size: list.length, boys: list.filter(child => child.is_boy).length, aparts: list.flatMap(child => child.apart_group ?? []), is_fixed: fixed !== undefined, at: fixed ? (known.get(fixed) ?? -1) : -1 }
  })
  const stay = (at: number) => units.filter(unit => unit.is_fixed && unit.at === at)
  const least = (at: number, of: 'size' | 'boys') => stay(at).reduce((sum, unit) => sum + unit[of], 0)
  const total = (of: 'size' | 'boys') => units.reduce((sum, unit) => sum + unit[of], 0)
  const size = evenShare(total('size'), classes.map(({ room }, at) => ({ least: least(at, 'size'), most: room })))
  const boys = evenShare(total('boys'), classes.map((_one, at) => ({ least: least(at, 'boys'), most: children.length })))
  const bounds = classes.map(({ room }, at): Bounds => ({ low: Math.min(size.low, room), high: Math.min(Math.max(size.high, least(at, 'size')), Math.max(room, least(at, 'size'))), boys_low: boys.low, boys_high: Math.max(boys.high, least(at, 'boys')) }))
  const seats = classes.map((): Seat => ({ size: 0, boys: 0, score: 0, scored: 0, top: 0, left_behind: 0, boarders: 0, aparts: new Map() }))
  return { units, seats, bounds, best: topScore(children) }
}

/** Puts a unit into its class, or with -1 takes it out. */
function seat({ seats, best }: Desk, unit: Unit, way: 1 | -1): void {
  const one = seats[unit.at]
  if (!one) return
  one.size += way * unit.size
  one.boys += way * unit.boys
  for (const group of unit.aparts) one.aparts.set(group, (one.aparts.get(group) ?? 0) + way)
  for (const child of unit.children) {
    if (child.score !== null) {
      one.score += way * child.score
      one.scored += way
      if (child.score >= best) one.top += way
    }
    if (child.is_left_behind) one.left_behind += way
    if (child.is_boarder) one.boarders += way
  }
}

function move(desk: Desk, unit: Unit, to: number): void {
  seat(desk, unit, -1)
  unit.at = to
  seat(desk, unit, 1)
}

/** How far a class is from what the hard rules ask. */
function seatCost({ seats, bounds }: Desk, at: number): number {
  const one = seats[at]
  const bound = bounds[at]
  if (!one || !bound) return 0
  const off = (n: number, low: number, high: number) => Math.max(0, n - high) + Math.max(0, low - n)
  const together = [...one.aparts.values()].reduce((sum, n) => sum + Math.max(0, n - 1), 0)
  return off(one.size, bound.low, bound.high) + off(one.boys, bound.boys_low, bound.boys_high) + 2 * together
}

function hardCost(desk: Desk): number {
  return desk.seats.reduce((sum, _one, at) => sum + seatCost(desk, at), 0)
}

/** First those who stay, then the larger groups, then everybody by sex and score, each where it fits best. */
function seatAll(desk: Desk): void {
  const mean = (unit: Unit) => unit.children.reduce((sum, child) => sum + (child.score ?? 0), 0) / unit.size
  const order = desk.units.toSorted((a, b) => Number(b.is_fixed) - Number(a.is_fixed) || b.size - a.size || b.aparts.length - a.aparts.length || b.boys - a.boys || mean(b) - mean(a))
  for (const unit of order) {
    if (unit.at < 0) unit.at = bestSeat(desk, unit)
    seat(desk, unit, 1)
  }
}

function bestSeat({ seats, bounds }: Desk, unit: Unit): number {
  const crowd = (one: Seat, at: number) => {
    const bound = bounds[at]
    const over = bound ? Math.max(0, one.size + unit.size - bound.high) + Math.max(0, one.boys + unit.boys - bound.boys_high) : 0
    return over + unit.aparts.filter(group => (one.aparts.get(group) ?? 0) > 0).length
  }
  const ranked = seats.map((one, at) => ({ at, cost: [crowd(one, at), unit.boys > 0 ? one.boys : one.size - one.boys, one.score, one.size] }))
  return ranked.toSorted((a, b) => compare(a.cost, b.cost))[0]?.at ?? 0
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((n, place) => n !== b[place])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** Repairs and shakes until the hard rules hold; where they cannot, the nearest that was found stays. */
function repairAll(desk: Desk, lot: Lot): void {
  let nearest = { cost: Number.POSITIVE_INFINITY, seats: desk.units.map(unit => unit.at) }
  for (let round = 0; round < repair_rounds && nearest.cost > 0; round += 1) {
    if (round > 0) shake(desk, lot)
    repair(desk)
    const cost = hardCost(desk)
    if (cost < nearest.cost) nearest = { cost, seats: desk.units.map(unit => unit.at) }
  }
  for (const [at, unit] of desk.units.entries()) move(desk, unit, nearest.seats[at] ?? unit.at)
}

/** Moves and exchanges units as long as that brings the hard rules nearer. */
function repair(desk: Desk): void {
  const loose = desk.units.filter(unit => !unit.is_fixed)
  while (loose.some(unit => seatCost(desk, unit.at) > 0 && improve(desk, unit, loose))) { /* each pass mends something */ }
  while (loose.some(unit => improve(desk, unit, loose))) { /* what is left may be mended from the other side */ }
}

function improve(desk: Desk, unit: Unit, loose: readonly Unit[]): boolean {
  const from = unit.at
  for (let to = 0; to < desk.seats.length; to += 1) if (to !== from && betters(desk, () => move(desk, unit, to), () => move(desk, unit, from), [from, to])) return true
  return seatCost(desk, from) > 0 && loose.some(other => {
    const to = other.at
    return to !== from && betters(desk, () => exchange(desk, unit, other), () => exchange(desk, unit, other), [from, to])
  })
}

function exchange(desk: Desk, a: Unit, b: Unit): void {
  const [from, to] = [a.at, b.at]
  move(desk, a, to)
  move(desk, b, from)
}

function betters(desk: Desk, act: () => void, back: () => void, touched: readonly number[]): boolean {
  const cost = () => touched.reduce((sum, at) => sum + seatCost(desk, at), 0)
  const before = cost()
  act()
  if (cost() < before) return true
  back()
  return false
}

/** Throws a few units about, so that the repair finds another way. */
function shake(desk: Desk, lot: Lot): void {
  const loose = desk.units.filter(unit => !unit.is_fixed)
  for (let n = 0; n < shaken && loose.length > 0; n += 1) {
    const unit = loose[lot.draw(loose.length)]
    if (unit) move(desk, unit, lot.draw(desk.seats.length))
  }
}

function softCost({ seats }: Desk): number[] {
  const means = seats.flatMap(one => (one.scored > 0 ? one.score / one.scored : []))
  const spread = (list: readonly number[]) => (list.length === 0 ? 0 : Math.max(...list) - Math.min(...list))
  const middle = means.reduce((sum, mean) => sum + mean, 0) / Math.max(means.length, 1)
  const variance = means.reduce((sum, mean) => sum + (mean - middle) ** 2, 0)
  // Squares are least where counts are even, and fall with every step towards it, which the difference of the extremes does not.
  const squares = (pick: (one: Seat) => number) => seats.reduce((sum, one) => sum + pick(one) ** 2, 0)
  return [Math.floor(spread(means) * mean_steps), squares(one => one.top), squares(one => one.left_behind), squares(one => one.boarders), variance]
}

/** Exchanges drawn pairs that leave the hard rules as they are and make the softer ones better. */
function soften(desk: Desk, lot: Lot): void {
  const loose = desk.units.filter(unit => !unit.is_fixed)
  if (loose.length < 2) return
  const hard = hardCost(desk)
  let best = softCost(desk)
  for (let tries = 0; tries < soft_tries; tries += 1) {
    const a = loose[lot.draw(loose.length)]
    const b = loose[lot.draw(loose.length)]
    if (!a || !b || a.at === b.at || a.size !== b.size || a.boys !== b.boys) continue
    exchange(desk, a, b)
    const next = softCost(desk)
    if (compare(next, best) < 0 && hardCost(desk) <= hard) best = next
    else exchange(desk, a, b)
  }
}
