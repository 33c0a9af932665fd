import type { Compiled } from './compile.ts'
import { costOf, outsideInWhole } from './instance.ts'
import type { Constraint } from './instance.ts'

type Group = { constraint: Constraint; side: number; counts: Map<number, number> }
type Workload = { constraint: Constraint; side: number; sum: number }

/** Rules that only look at which resources are chosen: one resource for a group of events, the workload of a resource. */
export class ChoiceBook {
  private readonly total: Float64Array
  private readonly groups_of: ReadonlyMap<string, readonly Group[]>
  private readonly workloads: ReadonlyMap<number, readonly Workload[]>
  private readonly blocks: Compiled['blocks']

  constructor({ instance, blocks, splits, resource_rules }: Compiled, total: Float64Array) {
    this.total = total
    this.blocks = blocks
    const listed = splits.flatMap(({ constraint, roles }) => {
      const group: Group = { constraint, side: constraint.required ? 0 : 1, counts: new Map() }
      return roles.map(({ block, role }) => ({ key: `${block} ${role}`, group }))
    })
    this.groups_of = new Map([...Map.groupBy(listed, one => one.key)].map(([key, list]) => [key, list.map(one => one.group)]))
    const given = (resource: number) => instance.events.reduce((sum, event) => sum + event.resources.reduce((own, one) => own
      + (one.resource === resource ? (one.workload ?? event.workload ?? event.duration) : 0), 0), 0)
    const limits = resource_rules.filter(({ constraint }) => constraint.kind === 'LimitWorkload' && constraint.time_groups.length === 0)
    const workloads = limits.map(({ constraint, resource }) =>
      ({ resource, limit: { constraint, side: constraint.required ? 0 : 1, sum: given(resource) } }))
    this.workloads = new Map([...Map.groupBy(workloads, one => one.resource)].map(([resource, list]) =>
      [resource, list.map(one => one.limit)]))
    for (const { limit } of workloads) this.add(limit.side, workloadCost(limit))
  }

  /** A sub-event of a block takes, or gives back, a resource for an open role. */
  assign(block: number, role: number, resource: number, length: number, step: 1 | -1): void {
    if (resource < 0) return
    for (const { constraint, side, counts } of this.groups_of.get(`${block} ${role}`) ?? []) {
      const before = Math.max(0, counts.size - 1)
      const count = (counts.get(resource) ?? 0) + step
      if (count === 0) counts.delete(resource)
      else counts.set(resource, count)
      this.add(side, costOf(constraint, Math.max(0, counts.size - 1)) - costOf(constraint, before))
    }
    for (const limit of this.workloads.get(resource) ?? []) {
      const before = workloadCost(limit)
      limit.sum += step * length * (this.blocks[block]?.open[role]?.work ?? 1)
      this.add(limit.side, workloadCost(limit) - before)
    }
  }

  private add(side: number, cost: number): void {
    this.total[side] = (this.total[side] ?? 0) + cost
  }
}

function workloadCost({ constraint, sum }: Workload): number {
  return costOf(constraint, outsideInWhole(sum, constraint.least, constraint.most))
}
