import type { Meet, Model } from './model.ts'

const hard_weight = 30
const days = 8
const school_days = 5
const most_reasons = 20
const most_moved = 6
/** Lessons of a teacher on one day above the even spread that still cost nothing. */
const spare_per_day = 2
const same_day_cost = 3

/** The lessons of a search with counts of what is busy when; every change is evaluated by itself, in typed arrays. */
export class SearchState {
  readonly at: Int32Array
  hard = 0
  soft = 0
  private readonly busy: Int16Array
  private readonly shut: Uint8Array
  private readonly per_day: Int16Array
  private readonly teacher_day: Int16Array
  private readonly most_per_day: number[]
  private readonly classmates: ReadonlyMap<number, readonly number[]>
  private readonly movable: readonly number[]
  private readonly log = new Int32Array(2 * (most_moved + 2))

  private readonly model: Model
  readonly random: () => number

  constructor(model: Model, random: () => number) {
    this.model = model
    this.random = random
    const { slots, week_classes, meets, resources } = model
    this.at = Int32Array.from(meets, () => -1)
    this.busy = new Int16Array(resources.length * slots.length * week_classes)
    this.shut = new Uint8Array(resources.length * slots.length)
    for (const [resource = 0, slot = 0] of model.closed) this.shut[resource * slots.length + slot] = 1
    this.per_day = new Int16Array((Math.max(0, ...meets.map(one => one.course)) + 1) * days)
    this.teacher_day = new Int16Array(resources.length * days)
    const load = new Int32Array(resources.length)
    for (const one of meets) for (const r of one.resources) load[r] = (load[r] ?? 0) + 1
    this.most_per_day = resources.map((one, r) => (one.kind === 'T' ? Math.ceil((load[r] ?? 0) / school_days) + spare_per_day : Infinity))
    this.classmates = Map.groupBy(meets.keys(), n => meets[n]?.resources[0] ?? 0)
    this.movable = [...meets.keys()].filter(n => meets[n]?.fixed === false && meets[n].domain.length > 0)
    for (const [n, one] of meets.entries()) if (one.at >= 0) this.put(n, one.at)
    this.construct(load)
  }

  cost(): number {
    return this.hard * hard_weight + this.soft
  }

  put(n: number, slot: number): void {
    this.count(n, -1)
    this.at[n] = slot
    this.count(n, 1)
  }

  /** Moves a lesson into a slot and what stands there of its class into the freed one. @returns how many lessons moved; `takeBack` puts them back */
  propose(): number {
    const { next, meets } = this.model
    const n = this.movable[Math.floor(this.random() * this.movable.length)] ?? -1
    const one = meets[n]
    if (!one) return 0
    const to = one.domain[Math.floor(this.random() * one.domain.length)] ?? -1
    const from = this.at[n] ?? -1
    if (to < 0 || to === from) return 0
    const last = one.span === 1 ? to : (next[to] ?? -1)
    let moved = 0
    for (const m of this.classmates.get(one.resources[0] ?? 0) ?? []) {
      if (m === n || !this.stands(m, to, last, one.mask)) continue
      const goal = this.at[m] === last && last !== to && meets[m]?.span === 1 ? (next[from] ?? -1) : from
      if (moved >= most_moved || !this.mayGo(m, goal, one.span)) {
        this.takeBack(moved)
        return 0
      }
      this.move(moved, m, goal)
      moved += 1
    }
    this.move(moved, n, to)
    return moved + 1
  }

  takeBack(moved: number): void {
    for (let k = moved - 1; k >= 0; k -= 1) this.put(this.log[k * 2] ?? 0, this.log[k * 2 + 1] ?? -1)
  }

  restore(found: Int32Array): void {
    for (const n of this.model.meets.keys()) if (this.at[n] !== found[n]) this.put(n, found[n] ?? -1)
  }

  /** Takes out lessons until nothing clashes, puts those back that fit somewhere, and says of the rest why not. */
  dropClashing(): string[] {
    while (this.hard > 0) {
      const clashing = this.movable.filter(n => (this.at[n] ?? -1) >= 0).map(n => ({ n, clashes: this.clashesOf(n) })).filter(({ clashes }) => clashes > 0)
      const [worst] = clashing.toSorted((a, b) => b.clashes - a.clashes)
      if (!worst) break
      this.put(worst.n, -1)
    }
    const out = this.movable.filter(n => (this.at[n] ?? -1) < 0 && !this.fitsSomewhere(n))
    return out.slice(0, most_reasons).map(n => this.reasonOf(n))
  }

  private fitsSomewhere(n: number): boolean {
    return (this.model.meets[n]?.domain ?? []).some(slot => {
      this.put(n, slot)
      if (this.clashesOf(n) === 0) return true
      this.put(n, -1)
      return false
    })
  }

  /** Does a lesson stand in one of two slots in a common week? */
  private stands(m: number, to: number, last: number, mask: number): boolean {
    const { meets, next } = this.model
    const there = this.at[m] ?? -1
    const other = meets[m]
    if (!other || there < 0 || (other.mask & mask) === 0) return false
    return there === to || there === last || (other.span === 2 && (next[there] === to || next[there] === last))
  }

  private mayGo(m: number, goal: number, span: number): boolean {
    const other = this.model.meets[m]
    return other !== undefined && !other.fixed && other.span <= span && (goal < 0 || other.domain.includes(goal))
  }

  private move(k: number, n: number, slot: number): void {
    this.log[k * 2] = n
    this.log[k * 2 + 1] = this.at[n] ?? -1
    this.put(n, slot)
  }

  /** Counts a lesson in (+1) or out (-1) of where it stands. */
  private count(n: number, sign: 1 | -1): void {
    const one = this.model.meets[n]
    const start = this.at[n] ?? -1
    if (!one || start < 0) return
    if (sign === -1) this.mark(one, start, -1)
    this.hard += sign * this.clashesAt(one, start)
    this.soft += this.countDay(one, this.model.slots[start]?.weekday ?? 0, sign)
    if (sign === 1) this.mark(one, start, 1)
  }

  /** What a lesson would clash with in a slot; itself must not be marked. */
  private clashesAt(one: Meet, start: number): number {
    const { next } = this.model
    let clashes = 0
    for (let k = 0, slot = start; k < one.span && slot >= 0; k += 1, slot = next[slot] ?? -1) {
      for (const r of one.resources) clashes += (this.shut[r * this.model.slots.length + slot] ?? 0) + this.taken(r, slot, one.mask)
    }
    return clashes
  }

  /** Lessons of a resource that overlap a slot by the clock in common weeks. */
  private taken(r: number, slot: number, mask: number): number {
    const { overlaps, week_classes, slots } = this.model
    let taken = 0
    for (const other of overlaps[slot] ?? []) {
      const base = (r * slots.length + other) * week_classes
      for (let w = 0; w < week_classes; w += 1) taken += ((mask >> w) & 1) * (this.busy[base + w] ?? 0)
    }
    return taken
  }

  private mark(one: Meet, start: number, sign: 1 | -1): void {
    const { next, slots, week_classes } = this.model
    for (let k = 0, slot = start; k < one.span && slot >= 0; k += 1, slot = next[slot] ?? -1) {
      for (const r of one.resources) {
        const base = (r * slots.length + slot) * week_classes
        for (let w = 0; w < week_classes; w += 1) this.busy[base + w] = (this.busy[base + w] ?? 0) + sign * ((one.mask >> w) & 1)
      }
    }
  }

  /** The change of the soft cost of a day: a course more often than its spread, a teacher above the even load. */
  private countDay(one: Meet, day: number, sign: 1 | -1): number {
    const over = (had: number, most: number) => Number(sign === 1 ? had >= most : had > most)
    const course = one.course * days + day
    const had = this.per_day[course] ?? 0
    this.per_day[course] = had + sign
    let cost = sign * same_day_cost * over(had, Math.ceil(one.weekly / school_days))
    for (const r of one.resources) {
      const taught = this.teacher_day[r * days + day] ?? 0
      this.teacher_day[r * days + day] = taught + sign
      cost += sign * over(taught, this.most_per_day[r] ?? Infinity)
    }
    return cost
  }

  private clashesOf(n: number): number {
    const before = this.hard
    this.count(n, -1)
    const without = this.hard
    this.count(n, 1)
    return before - without
  }

  /** Greedy start: the longest and most bound first, each into the cheapest slot. */
  private construct(load: Int32Array): void {
    const { meets } = this.model
    const weight = (n: number) => (meets[n]?.span ?? 0) * 1000 + (meets[n]?.resources ?? []).reduce((sum, r) => sum + (load[r] ?? 0), 0)
    for (const n of this.movable.filter(one => (this.at[one] ?? -1) < 0).toSorted((a, b) => weight(b) - weight(a) || a - b)) this.put(n, this.cheapest(n))
  }

  private cheapest(n: number): number {
    let [chosen, least] = [-1, Infinity]
    for (const slot of this.model.meets[n]?.domain ?? []) {
      this.put(n, slot)
      const cost = this.cost() + this.random()
      if (cost < least) [chosen, least] = [slot, cost]
      this.put(n, -1)
    }
    return chosen
  }

  private reasonOf(n: number): string {
    const one = this.model.meets[n]
    if (!one) return ''
    const { resources, slots } = this.model
    const parts = one.resources.flatMap(r => {
      const times = one.domain.filter(slot => this.shut[r * slots.length + slot] === 1 || this.taken(r, slot, one.mask) > 0).length
      return times === 0 ? [] : [`${resources[r]?.kind === 'C' ? '班级' : (resources[r]?.name ?? '')}已占用${times}`]
    })
    return `「${one.name}」${one.domain.length}个时段：${parts.join('，') || '没有可用时段'}`
  }
}
