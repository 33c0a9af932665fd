import type { Compiled } from './compile.ts'
import { costOf, outside } from './instance.ts'
import type { Constraint, TimeSpan } from './instance.ts'

type Spread = { constraint: Constraint; side: number; off: number; counts: Int16Array; groups_of: readonly (readonly number[])[];
  spans: readonly TimeSpan[] }

/** How many sub-events of a group of events begin in each group of times. */
export class SpreadBook {
  private readonly total: Float64Array
  private readonly of_block: readonly (readonly Spread[])[]

  constructor({ instance, blocks, spreads }: Compiled, total: Float64Array) {
    this.total = total
    const of_block: Spread[][] = blocks.map(() => [])
    const lists = new Map<Constraint, number[][]>()
    for (const { constraint, blocks: own } of spreads) {
      const groups_of = lists.get(constraint) ?? instance.times.map((_time, t) => constraint.time_groups.flatMap((span, g) =>
        (span.times.includes(t) ? [g] : [])))
      lists.set(constraint, groups_of)
      const off = constraint.time_groups.reduce((sum, { least, most }) => sum + outside(0, least, most), 0)
      const spread = { constraint, side: constraint.required ? 0 : 1, off, counts: new Int16Array(constraint.time_groups.length),
        groups_of, spans: constraint.time_groups }
      total[spread.side] = (total[spread.side] ?? 0) + costOf(constraint, off)
      for (const b of own) of_block[b]?.push(spread)
    }
    this.of_block = of_block
  }

  /** A sub-event of a block begins, or no longer begins, at a time. */
  begin(block: number, time: number, step: 1 | -1): void {
    for (const spread of this.of_block[block] ?? []) {
      const before = spread.off
      for (const g of spread.groups_of[time] ?? []) {
        const count = spread.counts[g] ?? 0
        const span = spread.spans[g]
        if (span) spread.off += outside(count + step, span.least, span.most) - outside(count, span.least, span.most)
        spread.counts[g] = count + step
      }
      if (spread.off !== before) this.total[spread.side] = (this.total[spread.side] ?? 0) + costOf(spread.constraint,
        spread.off) - costOf(spread.constraint, before)
    }
  }
}
