import type { Annealed } from './anneal.ts'
import type { Meet, Model } from './model.ts'

/** Weight of a clash; where lessons are to stay, it outweighs moving several of them. */
const [hard_weight, hard_weight_of_changes] = [30, 100] as const
/** A lesson that leaves its place. */
const moved_weight = 8
const days = 8
const school_days = 5
const most_moved = 6
const longest_chain = 14
/** Shares of the moves: chains, and lessons in focus. */
const [chain_share, focus_share] = [0.25, 0.9] as const
/** Lessons of a teacher on one day above the even spread that still cost nothing. */
const spare_per_day = 2
const same_day_cost = 3

/** The lessons of a search with counts of what is busy when; every change is evaluated by itself, in typed arrays. */
export class SearchState implements Annealed {
  readonly at: Int32Array
  hard = 0
  soft = 0
  /** lessons that are moved most of the time; empty: all alike */
  focus: readonly number[] = []
  private readonly home: Int32Array
  private away = 0
  private readonly kept: Int32Array
  private readonly stamp: Int32Array
  private stamped = 0
  private readonly of_resource: readonly (readonly number[])[]
  private readonly busy: Int16Array
  private readonly shut: Uint8Array
  private readonly per_day: Int16Array
  private readonly teacher_day: Int16Array
  private readonly most_per_day: number[]
  private readonly classmates: ReadonlyMap<number, readonly number[]>
  readonly movable: readonly number[]
  private readonly log = new Int32Array(2 * (longest_chain + 2))

  private readonly model: Model
  readonly random: () => number
  constructor(model: Model, random: () => number) {
    this.model = model
    this.random = random
    const { slots, week_classes, meets, resources } = model
    const of_resource = resources.map((): number[] => [])
    for (const [n, one] of meets.entries()) for (const r of one.resources) of_resource[r]?.push(n)
    this.of_resource = of_resource
    this.at = Int32Array.from(meets, () => -1)
    this.kept = this.at.slice()
    this.stamp = new Int32Array(meets.length)
    this.home = Int32Array.from(meets, one => (model.stay === true ? one.at : -1))
    this.busy = new Int16Array(resources.length * slots.length * week_classes)
    this.shut = new Uint8Array(resources.length * slots.length)
    for (const [resource = 0, slot = 0] of model.closed) this.shut[resource * slots.length + slot] = 1
    this.per_day = new Int16Array((Math.max(0, ...meets.map(one => one.course)) + 1) * days)
    this.teacher_day = new Int16Array(resources.length * days)
    const load = Int32Array.from(of_resource, own => own.length)
    this.most_per_day = resources.map((one, r) => (one.kind === 'T' ? Math.ceil((load[r] ?? 0) / school_days) + spare_per_day : Infinity))
    this.classmates = Map.groupBy(meets.keys(), n => meets[n]?.resources[0] ?? 0)
    this.movable = [...meets.keys()].filter(n => meets[n]?.fixed === false && meets[n].domain.length > 0)
    for (const one of meets.slice(model.own)) if (one.at >= 0) this.mark(one, one.at, 1)
    for (const [n, one] of meets.slice(0, model.own).entries()) if (one.at >= 0) this.put(n, one.at)
    this.construct(load)
  }

  cost(): number {
    return this.hard * (this.model.stay === true ? hard_weight_of_changes : hard_weight) + this.soft + this.away * moved_weight
  }

  keep(): void {
    this.kept.set(this.at)
  }

  restore(): void {
    for (const n of this.model.meets.keys()) if (this.at[n] !== this.kept[n]) this.put(n, this.kept[n] ?? -1)
  }

  /** Looks at lessons that clash or have moved, and at those within `steps` shared classes, teachers or rooms of them. */
  focusOn(steps: number): void {
    let near = new Set(this.movable.filter(n => (this.home[n] ?? -1) !== this.at[n] || this.clashesOf(n) > 0))
    for (let step = 0; step < steps && near.size < this.movable.length / 2; step += 1) {
      const resources = new Set([...near].flatMap(n => this.model.meets[n]?.resources ?? []))
      near = new Set([...near, ...[...resources].flatMap(r => this.of_resource[r] ?? []).filter(n => this.model.meets[n]?.fixed === false)])
    }
    this.focus = [...near].toSorted((a, b) => a - b)
  }

  /** Puts moved lessons back where that costs nothing. */
  goHome(): void {
    for (const n of this.movable) {
      const [here, home] = [this.at[n] ?? -1, this.home[n] ?? -1]
      if (home < 0 || here === home) continue
      const before = this.cost()
      this.put(n, home)
      if (this.cost() > before) this.put(n, here)
    }
  }

  put(n: number, slot: number): void {
    this.count(n, -1)
    this.at[n] = slot
    this.count(n, 1)
  }

  /** Moves a lesson into a slot and what stands there of its class into the freed one. @returns how many lessons moved; `takeBack` puts them back */
  propose(): number {
    const { next, meets } = this.model
    const from_list = this.focus.length > 0 && this.random() < focus_share ? this.focus : this.movable
    const n = from_list[Math.floor(this.random() * from_list.length)] ?? -1
    const one = meets[n]
    if (!one) return 0
    const [home, from] = [this.home[n] ?? -1, this.at[n] ?? -1]
    const to = home >= 0 && home !== from && this.random() < 1 / 2 ? home
      : (one.domain[Math.floor(this.random() * one.domain.length)] ?? -1)
    if (to < 0 || to === from) return 0
    if (one.span === 1 && from >= 0 && this.random() < chain_share) return this.chain(n, from, to)
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

  /** A Kempe chain: lessons of two slots that hang together by a class, a teacher or a room change sides. */
  private chain(n: number, from: number, to: number): number {
    this.stamped += 1
    this.stamp[n] = this.stamped
    this.move(0, n, to)
    let moved = 1
    for (let link = 0; link < moved; link += 1) {
      const m = this.log[link * 2] ?? 0
      const here = this.at[m] ?? -1
      for (const other of this.inTheWay(m, here)) {
        if (moved >= longest_chain || !this.mayGo(other, here === to ? from : to, 1)) {
          this.takeBack(moved)
          return 0
        }
        this.move(moved, other, here === to ? from : to)
        moved += 1
      }
    }
    return moved
  }

  /** Lessons of a slot that share a resource and a week with one that has come, and have not moved themselves. */
  private inTheWay(m: number, slot: number): number[] {
    const { meets } = this.model
    const mask = meets[m]?.mask ?? 0
    const found: number[] = []
    for (const r of meets[m]?.resources ?? []) {
      for (const other of this.of_resource[r] ?? []) {
        if (this.at[other] !== slot || this.stamp[other] === this.stamped || ((meets[other]?.mask ?? 0) & mask) === 0) continue
        this.stamp[other] = this.stamped
        found.push(other)
      }
    }
    return found
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
    if ((this.home[n] ?? -1) >= 0 && start !== this.home[n]) this.away += sign
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

  /** Whether a resource must stay empty in a slot, or has lessons in common weeks that overlap it by the clock. */
  isBusy(r: number, slot: number, mask: number): boolean {
    return this.shut[r * this.model.slots.length + slot] === 1 || this.taken(r, slot, mask) > 0
  }

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

  /** How many clashes a lesson has a part in. */
  clashesOf(n: number): number {
    this.count(n, -1)
    const without = this.hard
    this.count(n, 1)
    return this.hard - without
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
}
