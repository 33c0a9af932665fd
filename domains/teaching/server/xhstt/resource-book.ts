import { costTable } from './compile.ts'
import type { Compiled, ResourceRule } from './compile.ts'

const [shut, cluster, idle, load] = [0, 1, 2, 3] as const
const kinds: Readonly<Record<string, number>> = { AvoidUnavailableTimes: shut, ClusterBusyTimes: cluster, LimitIdleTimes: idle,
  LimitBusyTimes: load }
const widest_mask = 31
/** Clashes of one resource beyond this cost no more in the search. */
const most_clashes = 8000

/** At how many sub-events each resource is at each time, and what its rules make of it; sums of hard and soft costs go into `total`. */
export class ResourceBook {
  readonly busy: Int16Array
  private readonly times: number
  private readonly total: Float64Array
  /** rules by resource × time: where its groups hold the time */
  private readonly start: Int32Array
  private readonly rule_at: Int32Array
  private readonly group_at: Int32Array
  private readonly bit_at: Int32Array
  private readonly kind: Uint8Array
  private readonly side: Uint8Array
  private readonly least: Float64Array
  private readonly most: Float64Array
  private readonly deviation: Int32Array
  private readonly tables: readonly Float64Array[]
  private readonly count: Int16Array
  private readonly mask: Int32Array
  private readonly always: Uint8Array
  private readonly times_of: readonly (readonly number[])[]
  private readonly resource_of: Int32Array
  private readonly clashes: Int32Array
  private readonly clash_rules: readonly (readonly { table: Float64Array; side: number }[])[]

  constructor({ instance, resource_rules }: Compiled, total: Float64Array) {
    const [count, times] = [instance.resources.length, instance.times.length]
    this.times = times
    this.total = total
    this.busy = new Int16Array(count * times)
    this.clashes = new Int32Array(count)
    const sideOf = (rule: ResourceRule) => (rule.constraint.required ? 0 : 1)
    const clashing = Map.groupBy(resource_rules.filter(rule => rule.constraint.kind === 'AvoidClashes'), rule => rule.resource)
    const clash_tables = new Map([...clashing.values()].flat().map(({ constraint }) => [constraint, costTable(constraint, most_clashes)]))
    const tableOf = (rule: ResourceRule) => ({ table: clash_tables.get(rule.constraint) ?? new Float64Array(), side: sideOf(rule) })
    this.clash_rules = instance.resources.map((_resource, r) => (clashing.get(r) ?? []).map(tableOf))
    const rules = resource_rules.filter(rule => kinds[rule.constraint.kind] !== undefined)
    this.kind = Uint8Array.from(rules, rule => kinds[rule.constraint.kind] ?? 0)
    this.side = Uint8Array.from(rules, sideOf)
    this.least = Float64Array.from(rules, rule => rule.constraint.least)
    this.most = Float64Array.from(rules, rule => rule.constraint.most)
    this.tables = rules.map(rule => costTable(rule.constraint, worstOf(rule)))
    this.deviation = new Int32Array(rules.length)
    const groups = rules.flatMap((rule, n) => rule.groups.map((own, g) => ({ n, r: rule.resource, own, always: rule.always[g] === true })))
    this.count = new Int16Array(groups.length)
    this.mask = new Int32Array(groups.length)
    this.always = Uint8Array.from(groups, one => Number(one.always))
    this.times_of = groups.map(one => one.own)
    this.resource_of = Int32Array.from(groups, one => one.r)
    const entries = groups.flatMap(({ n, r, own }, g) => own.map((time, bit) => ({ cell: r * times + time, n, g, bit }))).toSorted((a,
      b) => a.cell - b.cell)
    this.start = new Int32Array(count * times + 1)
    for (const { cell } of entries) this.start[cell + 1] = (this.start[cell + 1] ?? 0) + 1
    for (let cell = 0; cell < count * times; cell += 1) this.start[cell + 1] = (this.start[cell + 1] ?? 0) + (this.start[cell] ?? 0)
    this.rule_at = Int32Array.from(entries, one => one.n)
    this.group_at = Int32Array.from(entries, one => one.g)
    this.bit_at = Int32Array.from(entries, one => one.bit)
    for (const [g, { n, always }] of groups.entries()) if (always) this.deviation[n] = (this.deviation[n] ?? 0) + this.valueOf(n, g)
    for (const n of rules.keys()) total[this.side[n] ?? 0] = (total[this.side[n] ?? 0] ?? 0) + this.costAt(n, this.deviation[n] ?? 0)
  }

  /** A sub-event of a resource begins or ends to be at a time and those after it. */
  occupy(r: number, time: number, length: number, step: 1 | -1): void {
    if (r < 0) return
    for (let t = time; t < time + length; t += 1) {
      const cell = r * this.times + t
      const before = this.busy[cell] ?? 0
      this.busy[cell] = before + step
      if (before + step === 0 || before === 0) this.toggle(cell, step)
      if (step === 1 ? before > 0 : before > 1) this.clash(r, step)
    }
  }

  private clash(r: number, step: 1 | -1): void {
    const before = this.clashes[r] ?? 0
    this.clashes[r] = before + step
    for (const { table, side } of this.clash_rules[r] ?? []) this.total[side] = (this.total[side] ?? 0)
      + (table[before + step] ?? 0) - (table[before] ?? 0)
  }

  private toggle(cell: number, step: 1 | -1): void {
    const end = this.start[cell + 1] ?? 0
    for (let entry = this.start[cell] ?? 0; entry < end; entry += 1) {
      const n = this.rule_at[entry] ?? 0
      const g = this.group_at[entry] ?? 0
      const before = this.valueOf(n, g)
      this.count[g] = (this.count[g] ?? 0) + step
      this.mask[g] = (this.mask[g] ?? 0) ^ (1 << (this.bit_at[entry] ?? 0))
      const change = this.valueOf(n, g) - before
      if (change === 0) continue
      const old = this.deviation[n] ?? 0
      this.deviation[n] = old + change
      const side = this.side[n] ?? 0
      this.total[side] = (this.total[side] ?? 0) + this.costAt(n, old + change) - this.costAt(n, old)
    }
  }

  private costAt(n: number, value: number): number {
    const kind = this.kind[n] ?? 0
    const least = this.least[n] ?? 0
    const most = this.most[n] ?? 0
    const off = kind === shut || kind === load ? value : value < least ? least - value : value > most ? value - most : 0
    return this.tables[n]?.[off] ?? 0
  }

  /** What a group of times adds to a rule. */
  private valueOf(n: number, g: number): number {
    const count = this.count[g] ?? 0
    const kind = this.kind[n] ?? 0
    if (kind === shut) return count
    if (kind === cluster) return count > 0 ? 1 : 0
    if (kind === load) {
      if (count === 0 && this.always[g] === 0) return 0
      const least = this.least[n] ?? 0
      const most = this.most[n] ?? 0
      return count < least ? least - count : count > most ? count - most : 0
    }
    if (count < 2) return 0
    const times = this.times_of[g] ?? []
    if (times.length > widest_mask) return this.idleOf(g, times)
    const mask = this.mask[g] ?? 0
    return widest_mask - Math.clz32(mask) - (widest_mask - Math.clz32(mask & -mask)) + 1 - count
  }

  /** Groups of more times than a mask has bits. */
  private idleOf(g: number, times: readonly number[]): number {
    const r = this.resource_of[g] ?? 0
    const taken = times.map(time => (this.busy[r * this.times + time] ?? 0) > 0)
    const [first, last] = [taken.indexOf(true), taken.lastIndexOf(true)]
    return first < 0 ? 0 : last - first + 1 - taken.filter(one => one).length
  }
}

/** The largest deviation that a rule can reach. */
function worstOf({ constraint: { least }, groups }: ResourceRule): number {
  return groups.reduce((sum, own) => sum + own.length + least, groups.length + least + 1)
}
