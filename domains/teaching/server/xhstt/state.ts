import { ChoiceBook } from './choice-book.ts'
import { partitions, splitCost } from './compile.ts'
import type { Block, BlockRule, Compiled, SlowRule } from './compile.ts'
import { costOf, outside } from './instance.ts'
import type { SubEvent } from './instance.ts'
import { ResourceBook } from './resource-book.ts'
import { SpreadBook } from './spread-book.ts'

const most_parts = 12
/** Splits that break a hard rule cost this or more. */
const forbidden = 1000
const [timed, given, parted] = [0, 1, 2] as const
const log_width = 4
const no_block: Block = { events: [], duration: 0, time: -1, fixed: [], open: [], domains: [] }

/**
 * A solution that changes: every block has as many sub-events as times (length 0: not used). Each change is evaluated by itself and can be
 * taken back by the log (chapter 50 §3.9.5).
 */
export class State {
  readonly compiled: Compiled
  /** hard and soft costs */
  readonly total = new Float64Array(2)
  readonly book: ResourceBook
  readonly at: Int32Array
  readonly length: Int32Array
  /** resource by sub-event and open role of its block */
  readonly chosen: Int32Array
  readonly first: Int32Array
  readonly block_of: Int32Array
  /** blocks that may be parted in several ways without a hard cost */
  readonly splittable: readonly number[]
  logged = 0
  /** sub-events that begin at a time, as a linked list: the first of each time, then the next of each sub-event; -1 ends it */
  readonly first_at: Int32Array
  readonly next_at: Int32Array
  private readonly last_at: Int32Array
  private readonly log = new Int32Array(log_width << 14)
  private readonly role_first: Int32Array
  private readonly spreads: SpreadBook
  private readonly choices: ChoiceBook
  private readonly rules_of: readonly (readonly BlockRule[])[]
  private readonly block_cost: Float64Array
  /** blocks whose rules look at the time that a sub-event has, not only whether it has one */
  private readonly by_time: Uint8Array
  private readonly slow_of: readonly (readonly number[])[]
  private readonly slow_cost: Float64Array

  constructor(compiled: Compiled) {
    const { blocks, block_rules, slow } = compiled
    this.compiled = compiled
    this.book = new ResourceBook(compiled, this.total)
    this.spreads = new SpreadBook(compiled, this.total)
    this.choices = new ChoiceBook(compiled, this.total)
    this.first = offsets(blocks.map(one => one.duration))
    this.role_first = offsets(blocks.map(one => one.duration * one.open.length))
    this.block_of = Int32Array.from(blocks.flatMap(({ duration }, b) => Array.from({ length: duration }, () => b)))
    this.at = new Int32Array(this.block_of.length).fill(-1)
    this.length = new Int32Array(this.block_of.length)
    this.first_at = new Int32Array(compiled.instance.times.length).fill(-1)
    this.next_at = new Int32Array(this.block_of.length).fill(-1)
    this.last_at = new Int32Array(this.block_of.length).fill(-1)
    this.chosen = new Int32Array(this.role_first.at(-1) ?? 0).fill(-1)
    const by_block = Map.groupBy(block_rules, rule => rule.block)
    this.rules_of = blocks.map((_block, b) => by_block.get(b) ?? [])
    this.block_cost = new Float64Array(blocks.length * 2)
    this.slow_of = blocks.map((_block, b) => [...slow.keys()].filter(n => slow[n]?.blocks.includes(b)))
    this.slow_cost = new Float64Array(slow.length)
    const prefers = (b: number, rule: BlockRule) => rule.constraint.kind === 'PreferTimes' && blocks[b]?.domains.some(domain =>
      domain.some(time => rule.ok[time] === 0)) === true
    this.by_time = Uint8Array.from(blocks, (_block, b) => Number(this.slow_of[b]?.length !== 0 || this.rules_of[b]?.some(rule =>
      prefers(b, rule)) === true))
    this.splittable = blocks.flatMap((block, b) => (this.part(b, block) ? [b] : []))
    for (const b of blocks.keys()) this.weigh(b)
  }

  /** Parts a block in the cheapest way. @returns whether there is another way without a hard cost */
  private part(b: number, { duration, time }: Block): boolean {
    const ways = duration > most_parts || time >= 0 ? [[duration]] : partitions(duration)
    const costs = ways.map(parts => ({ parts, cost: splitCost(this.rules_of[b] ?? [], parts) })).toSorted((x, y) => x.cost - y.cost)
    for (const [k, part] of (costs[0]?.parts ?? []).entries()) this.length[(this.first[b] ?? 0) + k] = part
    return costs.filter(one => one.cost < forbidden).length > 1
  }

  blockAt(m: number): Block {
    return this.compiled.blocks[this.block_of[m] ?? 0] ?? no_block
  }

  /** Where the chosen resources of a sub-event begin. */
  rolesOf(m: number): number {
    const b = this.block_of[m] ?? 0
    return (this.role_first[b] ?? 0) + (m - (this.first[b] ?? 0)) * this.blockAt(m).open.length
  }

  /** Moves a sub-event with its resources; -1 takes it out. */
  setTime(m: number, time: number): void {
    const from = this.at[m] ?? -1
    this.note(timed, m, from, 0)
    if (from >= 0) this.stay(m, from, -1)
    this.at[m] = time
    if (time >= 0) this.stay(m, time, 1)
    const b = this.block_of[m] ?? 0
    if (from < 0 || time < 0 || this.by_time[b] === 1) this.weigh(b)
  }

  private stay(m: number, time: number, step: 1 | -1): void {
    const length = this.length[m] ?? 0
    const { fixed, open } = this.blockAt(m)
    for (const r of fixed) this.book.occupy(r, time, length, step)
    const roles = open.length === 0 ? 0 : this.rolesOf(m)
    for (let k = 0; k < open.length; k += 1) this.book.occupy(this.chosen[roles + k] ?? -1, time, length, step)
    this.spreads.begin(this.block_of[m] ?? 0, time, step)
    this.list(m, time, step)
  }

  private list(m: number, time: number, step: 1 | -1): void {
    const { first_at, next_at, last_at } = this
    if (step === 1) {
      const next = first_at[time] ?? -1
      next_at[m] = next
      last_at[m] = -1
      if (next >= 0) last_at[next] = m
      first_at[time] = m
      return
    }
    const before = last_at[m] ?? -1
    const after = next_at[m] ?? -1
    if (before >= 0) next_at[before] = after
    else first_at[time] = after
    if (after >= 0) last_at[after] = before
  }

  /** Gives an open role of a sub-event a resource; -1 takes it away. */
  setResource(m: number, k: number, resource: number): void {
    const [b, at, slot, length] = [this.block_of[m] ?? 0, this.at[m] ?? -1, this.rolesOf(m) + k, this.length[m] ?? 0]
    const old = this.chosen[slot] ?? -1
    this.note(given, m, old, k)
    if (at >= 0) {
      this.book.occupy(old, at, length, -1)
      this.book.occupy(resource, at, length, 1)
    }
    this.choices.assign(b, k, old, length, -1)
    this.choices.assign(b, k, resource, length, 1)
    this.chosen[slot] = resource
    this.weigh(b)
  }

  /** Changes the length of a sub-event that has neither a time nor a chosen resource. */
  setLength(m: number, length: number): void {
    this.note(parted, m, this.length[m] ?? 0, 0)
    this.length[m] = length
    this.weigh(this.block_of[m] ?? 0)
  }

  private note(kind: number, m: number, old: number, k: number): void {
    const base = (this.logged * log_width) % this.log.length
    this.log[base] = kind
    this.log[base + 1] = m
    this.log[base + 2] = old
    this.log[base + 3] = k
    this.logged += 1
  }

  /** Takes back the last changes down to a mark of `logged`. */
  undo(mark: number): void {
    while (this.logged > mark) {
      const last = this.logged - 1
      const base = (last * log_width) % this.log.length
      const [kind, m = 0, old = -1] = [this.log[base], this.log[base + 1], this.log[base + 2]]
      if (kind === timed) this.setTime(m, old)
      else if (kind === given) this.setResource(m, this.log[base + 3] ?? 0, old)
      else this.setLength(m, old)
      this.logged = last
    }
  }

  /** Works the rules of one block out anew. */
  private weigh(b: number): void {
    let [hard, soft] = [0, 0]
    for (const rule of this.rules_of[b] ?? []) {
      const cost = rule.times_counted * costOf(rule.constraint, this.deviationOf(rule, b))
      if (rule.constraint.required) hard += cost
      else soft += cost
    }
    this.total[0] = (this.total[0] ?? 0) + hard - (this.block_cost[b * 2] ?? 0)
    this.total[1] = (this.total[1] ?? 0) + soft - (this.block_cost[b * 2 + 1] ?? 0)
    this.block_cost[b * 2] = hard
    this.block_cost[b * 2 + 1] = soft
    for (const n of this.slow_of[b] ?? []) this.weighSlow(n)
  }

  private deviationOf({ constraint, role, ok }: BlockRule, b: number): number {
    const { kind, duration, shortest, longest } = constraint
    const end = this.first[b + 1] ?? 0
    let [off, parts] = [0, 0]
    for (let m = this.first[b] ?? 0; m < end; m += 1) {
      const length = this.length[m] ?? 0
      if (length === 0) continue
      const at = this.at[m] ?? -1
      const resource = role < 0 ? -1 : (this.chosen[this.rolesOf(m) + role] ?? -1)
      if (kind === 'PreferTimes') off += at >= 0 && (duration === null || duration === length) && ok[at] === 0 ? length : 0
      else if (kind === 'AssignTime') off += at < 0 ? length : 0
      else if (kind === 'AssignResource') off += resource < 0 ? length : 0
      else if (kind === 'PreferResources') off += resource >= 0 && ok[resource] === 0 ? length : 0
      else if (kind === 'SplitEvents') off += length < shortest || length > longest ? 1 : 0
      parts += kind === 'SplitEvents' || length === duration ? 1 : 0
    }
    return kind === 'SplitEvents' || kind === 'DistributeSplitEvents' ? off + outside(parts, constraint.least, constraint.most) : off
  }

  private weighSlow(n: number): void {
    const rule = this.compiled.slow[n]
    if (!rule) return
    const cost = costOf(rule.constraint, rule.constraint.kind === 'LinkEvents' ? this.unlinked(rule) : this.disordered(rule))
    const side = rule.constraint.required ? 0 : 1
    this.total[side] = (this.total[side] ?? 0) + cost - (this.slow_cost[n] ?? 0)
    this.slow_cost[n] = cost
  }

  private *partsOf(b: number): Generator<{ at: number; length: number }> {
    for (let m = this.first[b] ?? 0; m < (this.first[b + 1] ?? 0); m += 1) if ((this.length[m] ?? 0) > 0) yield { at: this.at[m] ?? -1,
      length: this.length[m] ?? 0 }
  }

  /** Times at which some but not all blocks of a linked group run. */
  private unlinked({ blocks }: SlowRule): number {
    const counts = new Map<number, number>()
    for (const b of blocks) {
      const own = new Set<number>()
      for (const { at, length } of this.partsOf(b)) for (let k = 0; k < (at < 0 ? 0 : length); k += 1) own.add(at + k)
      for (const time of own) counts.set(time, (counts.get(time) ?? 0) + 1)
    }
    return [...counts.values()].filter(count => count < blocks.length).length
  }

  private disordered({ constraint, blocks, at }: SlowRule): number {
    const [before, after] = [[...this.partsOf(blocks[0] ?? 0)], [...this.partsOf(blocks[1] ?? 0)]]
    const pair = constraint.pairs[at]
    if (!pair || [...before, ...after].some(one => one.at < 0)) return 0
    return outside(Math.min(...after.map(one => one.at)) - Math.max(...before.map(one => one.at + one.length)), pair.least, pair.most)
  }

  /** The solution as the evaluator reads it. */
  subEvents(): SubEvent[] {
    const { blocks, instance } = this.compiled
    return [...this.at.keys()].flatMap(m => {
      const length = this.length[m] ?? 0
      const { events, open } = blocks[this.block_of[m] ?? 0] ?? no_block
      return length === 0 ? [] : events.map((event): SubEvent => {
        const resources = (instance.events[event]?.resources ?? []).map((one, at) => {
          const role = open.findIndex(other => other.event === event && other.at === at)
          return one.resource >= 0 || role < 0 ? one.resource : (this.chosen[this.rolesOf(m) + role] ?? -1)
        })
        return { event, duration: length, time: this.at[m] ?? -1, resources }
      })
    })
  }
}

function offsets(sizes: readonly number[]): Int32Array {
  const found = new Int32Array(sizes.length + 1)
  for (const [n, size] of sizes.entries()) found[n + 1] = (found[n] ?? 0) + size
  return found
}
