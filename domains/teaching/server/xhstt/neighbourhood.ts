import type { Annealed } from '../solve/anneal.ts'
import { sharingOf } from './compile.ts'
import type { State } from './state.ts'

/** Shares of the moves; the rest are swaps (chapter 50 §3.9.5). */
type Shares = { shift: number; chain: number; eject: number; split: number; resource: number }
const [longest_chain, deepest_ejection] = [24, 3] as const
const widest_scan = 60

/** Moves of a search over a state: shifts, swaps inside one resource, Kempe chains, splits and merges, other resources. */
export class Neighbourhood implements Annealed {
  readonly state: State
  readonly random: () => number
  hard_weight: number
  private readonly shares: Shares
  private readonly movable: Int32Array
  private readonly with_roles: Int32Array
  private readonly of_resource: readonly Int32Array[]
  /** blocks × blocks: whether they share a resource */
  private readonly clash: Uint8Array
  private readonly kept: { at: Int32Array; length: Int32Array; chosen: Int32Array }
  private readonly stamp: Int32Array
  private stamped = 0
  private readonly chain = new Int32Array(longest_chain * 2)

  constructor(state: State, random: () => number, hard_weight: number) {
    this.state = state
    this.random = random
    this.hard_weight = hard_weight
    const all = [...state.at.keys()]
    this.movable = Int32Array.from(all.filter(m => state.blockAt(m).time < 0 && state.blockAt(m).domains.some(one => one.length > 1)))
    this.with_roles = Int32Array.from(all.filter(m => state.blockAt(m).open.some(one => one.choices.length > 1)))
    const lists: number[][] = state.compiled.instance.resources.map(() => [])
    for (const m of all) for (const r of new Set(state.blockAt(m).fixed)) lists[r]?.push(m)
    this.of_resource = lists.map(list => Int32Array.from(list))
    this.clash = sharingOf(state.compiled)
    this.kept = { at: state.at.slice(), length: state.length.slice(), chosen: state.chosen.slice() }
    this.stamp = new Int32Array(all.length)
    const split = state.splittable.length > 0 ? 0.08 : 0
    const resource = this.with_roles.length > 0 ? 0.05 : 0
    this.shares = { shift: 0.25, chain: 0.32, eject: 0.02, split, resource }
  }

  get hard(): number {
    return this.state.total[0] ?? 0
  }

  get soft(): number {
    return this.state.total[1] ?? 0
  }

  cost(): number {
    return (this.state.total[0] ?? 0) * this.hard_weight + (this.state.total[1] ?? 0)
  }

  keep(): void {
    this.kept.at.set(this.state.at)
    this.kept.length.set(this.state.length)
    this.kept.chosen.set(this.state.chosen)
  }

  restore(): void {
    this.load(this.kept)
  }

  /** A copy of what was kept last, which `load` of another search over the same instance takes. */
  best(): { at: Int32Array; length: Int32Array; chosen: Int32Array } {
    return { at: this.kept.at.slice(), length: this.kept.length.slice(), chosen: this.kept.chosen.slice() }
  }

  load({ at, length, chosen }: { at: Int32Array; length: Int32Array; chosen: Int32Array }): void {
    const { state } = this
    for (const m of state.at.keys()) {
      const [roles, open] = [state.rolesOf(m), state.blockAt(m).open.length]
      const changed = state.length[m] !== length[m] || state.at[m] !== at[m] || Array.from({ length: open }, (_, k) => roles
        + k).some(slot => state.chosen[slot] !== chosen[slot])
      if (!changed) continue
      this.clear(m)
      if (state.length[m] !== length[m]) state.setLength(m, length[m] ?? 0)
      for (let k = 0; k < open; k += 1) if ((chosen[roles + k] ?? -1) >= 0) state.setResource(m, k, chosen[roles + k] ?? -1)
      if ((at[m] ?? -1) >= 0) state.setTime(m, at[m] ?? -1)
    }
    state.logged = 0
  }

  private clear(m: number): void {
    if ((this.state.at[m] ?? -1) >= 0) this.state.setTime(m, -1)
    const roles = this.state.rolesOf(m)
    for (let k = 0; k < this.state.blockAt(m).open.length; k += 1) if ((this.state.chosen[roles + k] ?? -1) >= 0) this.state.setResource(m,
      k, -1)
  }

  propose(): number {
    const { state, shares } = this
    state.logged = 0
    const kind = this.random()
    if (kind < shares.split) this.splitOrMerge()
    else if (kind < shares.split + shares.resource) this.otherResource()
    else {
      const m = this.movable[Math.floor(this.random() * this.movable.length)] ?? -1
      const from = m < 0 ? -1 : (state.at[m] ?? -1)
      if (from < 0) return 0
      const to = this.someTime(m)
      if (to === from) return 0
      const rest = this.random()
      if (rest < shares.shift) this.shift(m, to)
      else if (rest < shares.shift + shares.chain) this.kempe(m, from, to)
      else if (rest < shares.shift + shares.chain + shares.eject) this.eject(m, to)
      else this.swap(m, from, to)
    }
    return state.logged
  }

  takeBack(): void {
    this.state.undo(0)
  }

  private someTime(m: number): number {
    const domain = this.state.blockAt(m).domains[this.state.length[m] ?? 0] ?? []
    return domain[Math.floor(this.random() * domain.length)] ?? -1
  }

  /** Moves a sub-event and looks for free resources where the ones it has are taken. */
  shift(m: number, to: number): void {
    this.state.setTime(m, to)
    if (this.state.blockAt(m).open.length > 0) this.findResources(m)
  }

  private findResources(m: number): void {
    const { state } = this
    const [roles, at, length] = [state.rolesOf(m), state.at[m] ?? 0, state.length[m] ?? 1]
    for (const [k, { choices }] of state.blockAt(m).open.entries()) {
      const now = state.chosen[roles + k] ?? -1
      if (now >= 0 && this.freeOf(now, at, length, 1)) continue
      const start = Math.floor(this.random() * choices.length)
      const steps = Math.min(choices.length, widest_scan)
      for (let step = 0; step < steps; step += 1) {
        const r = choices[(start + step) % choices.length] ?? -1
        if (!this.freeOf(r, at, length, 0) && (now >= 0 || step < steps - 1)) continue
        state.setResource(m, k, r)
        break
      }
    }
  }

  /** Is a resource at no more than so many sub-events at each of these times? */
  private freeOf(r: number, at: number, length: number, most: number): boolean {
    const first = r * this.state.compiled.instance.times.length + at
    for (let cell = first; cell < first + length; cell += 1) if ((this.state.book.busy[cell] ?? 0) > most) return false
    return true
  }

  /** What a resource has at the times a sub-event goes to takes the times that it leaves. */
  private swap(m: number, from: number, to: number): void {
    const { state } = this
    const { fixed } = state.blockAt(m)
    const r = fixed[Math.floor(this.random() * fixed.length)]
    const length = state.length[m] ?? 1
    if (r !== undefined) {
      let next = from
      for (const other of this.of_resource[r] ?? []) {
        const at = state.at[other] ?? -1
        const own = state.length[other] ?? 0
        if (other === m || at < 0 || at >= to + length || at + own <= to) continue
        const goal = own === length ? from : next
        next += own
        if (goal + own > from + length || state.blockAt(other).domains[own]?.includes(goal) !== true) continue
        this.shift(other, goal)
      }
    }
    this.shift(m, to)
  }

  /** A Kempe chain over all resources; one that is too long, or that a time is closed to, changes nothing. */
  private kempe(m: number, from: number, to: number): void {
    const { chain } = this
    this.stamped += 1
    this.stamp[m] = this.stamped
    chain[0] = m
    chain[1] = to
    let links = 1
    for (let link = 0; link < links; link += 1) {
      const goal = chain[link * 2 + 1] ?? 0
      links = this.follow(chain[link * 2] ?? 0, goal, goal === to ? from : to, links)
      if (links < 0) return
    }
    for (let link = 0; link < links; link += 1) this.shift(chain[link * 2] ?? 0, chain[link * 2 + 1] ?? 0)
  }

  /** Adds to the chain what is in the way of one of its links. @returns the links there are now; -1: the chain cannot close */
  private follow(one: number, goal: number, back: number, known: number): number {
    const { state, clash, stamp } = this
    const length = state.length[one] ?? 1
    const row = (state.block_of[one] ?? 0) * state.compiled.blocks.length
    let links = known
    for (let other = state.first_at[goal] ?? -1; other >= 0; other = state.next_at[other] ?? -1) {
      if (clash[row + (state.block_of[other] ?? 0)] === 0 || state.length[other] !== length || stamp[other] === this.stamped) continue
      if (links >= longest_chain || state.blockAt(other).domains[length]?.includes(back) !== true) return -1
      stamp[other] = this.stamped
      this.chain[links * 2] = other
      this.chain[links * 2 + 1] = back
      links += 1
    }
    return links
  }

  /** An ejection chain: what is in the way goes to the cheapest of its times, and so does what is in its way there. */
  private eject(m: number, to: number): void {
    this.stamped += 1
    this.stamp[m] = this.stamped
    this.shift(m, to)
    let out = this.clashing(m)
    for (let depth = 0; depth < deepest_ejection && out.length > 0 && out.length <= deepest_ejection; depth += 1) {
      out = out.flatMap(other => {
        this.stamp[other] = this.stamped
        this.shift(other, this.cheapestTime(other))
        return this.clashing(other)
      })
    }
  }

  /** Sub-events that share a resource and a time with one, and have not moved in this chain. */
  private clashing(m: number): number[] {
    const { state } = this
    const at = state.at[m] ?? -1
    const end = at + (state.length[m] ?? 0)
    const found = new Set<number>()
    for (const r of state.blockAt(m).fixed) {
      for (const other of this.of_resource[r] ?? []) {
        const start = state.at[other] ?? -1
        const is_beside = start < 0 || start >= end || start + (state.length[other] ?? 0) <= at
        if (!is_beside && this.stamp[other] !== this.stamped && state.blockAt(other).time < 0) found.add(other)
      }
    }
    return [...found]
  }

  private cheapestTime(m: number): number {
    const { state } = this
    let [chosen, least] = [-1, Infinity]
    for (const time of state.blockAt(m).domains[state.length[m] ?? 0] ?? []) {
      const mark = state.logged
      this.shift(m, time)
      const cost = this.cost() + this.random() / 2
      if (cost < least) [chosen, least] = [time, cost]
      state.undo(mark)
    }
    return chosen
  }

  private splitOrMerge(): void {
    const { state } = this
    const b = state.splittable[Math.floor(this.random() * state.splittable.length)] ?? 0
    const [first, end] = [state.first[b] ?? 0, state.first[b + 1] ?? 0]
    const m = first + Math.floor(this.random() * (end - first))
    const other = first + Math.floor(this.random() * (end - first))
    const [own, its] = [state.length[m] ?? 0, state.length[other] ?? 0]
    if (m === other || own === 0 || (its === 0 && own < 2)) return
    const part = its === 0 ? 1 + Math.floor(this.random() * (own - 1)) : this.random() < 1 / 2 ? 1 : own
    const at = state.at[m] ?? -1
    this.clear(m)
    this.clear(other)
    state.setLength(m, own - Math.min(part, own))
    state.setLength(other, its + Math.min(part, own))
    for (const n of [m, other]) {
      if ((state.length[n] ?? 0) === 0) continue
      const keeps = n === m && its === 0 && state.blockAt(n).domains[state.length[n] ?? 0]?.includes(at) === true
      this.shift(n, keeps ? at : this.someTime(n))
    }
  }

  private otherResource(): void {
    const { state } = this
    const m = this.with_roles[Math.floor(this.random() * this.with_roles.length)] ?? 0
    const { open } = state.blockAt(m)
    const k = Math.floor(this.random() * open.length)
    const choices = open[k]?.choices ?? []
    const next = choices[Math.floor(this.random() * choices.length)] ?? -1
    if ((state.length[m] ?? 0) > 0 && next >= 0 && next !== state.chosen[state.rolesOf(m) + k]) state.setResource(m, k, next)
  }

  /** Greedy start: what has the fewest times and the most resources first, each at the cheapest of its times. */
  construct(): void {
    const { state } = this
    const weight = (m: number) =>
      (state.blockAt(m).domains[state.length[m] ?? 0]?.length ?? 0) - state.blockAt(m).fixed.length * 3 - (state.length[m] ?? 0) * 10
    const order = [...state.at.keys()].filter(m => (state.length[m] ?? 0) > 0).toSorted((a, b) => weight(a) - weight(b) || a - b)
    for (const m of order) {
      state.logged = 0
      const time = this.cheapestTime(m)
      if (time >= 0) this.shift(m, time)
    }
    state.logged = 0
  }
}
