/** The 16 kinds of constraints of XHSTT (chapter 50 §3.8). */
export const constraint_kinds = [
  'AssignResource', 'AssignTime', 'SplitEvents', 'DistributeSplitEvents', 'PreferResources', 'PreferTimes', 'AvoidSplitAssignments',
    'SpreadEvents', 'LinkEvents', 'OrderEvents',
  'AvoidClashes', 'AvoidUnavailableTimes', 'LimitIdleTimes', 'ClusterBusyTimes', 'LimitBusyTimes', 'LimitWorkload',
] as const
export type ConstraintKind = (typeof constraint_kinds)[number]
export type CostFunction = 'Linear' | 'Quadratic' | 'Step'

/** Times in chronological order; `least` and `most` of the constraint that lists the group, 0 and endless where it does not say. */
export type TimeSpan = { times: readonly number[]; least: number; most: number }
/** Two events in order, with the least and most times between them. */
type OrderedPair = { first: number; second: number; least: number; most: number }

/** A constraint with its points of application resolved to numbers; what its kind does not use is empty. */
export type Constraint = {
  id: string; kind: ConstraintKind; required: boolean; weight: number; cost_function: CostFunction
  events: readonly number[]; event_groups: readonly (readonly number[])[]; pairs: readonly OrderedPair[]; resources: readonly number[]
  role: string | null
  /** preferred or unavailable times, preferred resources */
  times: readonly number[]; preferred: readonly number[]
  time_groups: readonly TimeSpan[]
  /** of resources and of numbers of sub-events */
  least: number; most: number
  /** durations of sub-events */
  shortest: number; longest: number
  duration: number | null
}

/** One resource of an event; `resource` -1 is chosen by the solver. */
export type EventResource = { role: string | null; type: number; resource: number; workload: number | null }
export type Event = { id: string; duration: number; workload: number | null; time: number; resources: readonly EventResource[] }
export type Instance = {
  id: string; times: readonly string[]; resource_types: readonly string[]; resources: readonly { id: string; type: number }[]
  events: readonly Event[]; constraints: readonly Constraint[]
}

/** A sub-event of a solution; `time` -1 is none; `resources` stand beside those of the event, -1 is none. */
export type SubEvent = { event: number; duration: number; time: number; resources: readonly number[] }
/** Infeasibility (hard) and objective value (soft), as reports of XHSTT state them. */
export type Cost = { hard: number; soft: number }
export type Archive = { instances: readonly Instance[]; solutions: readonly { instance: Instance; name: string;
  sub_events: readonly SubEvent[]; stated: Cost | null }[] }

/** What a deviation costs. */
export function costOf({ weight, cost_function }: Pick<Constraint, 'weight' | 'cost_function'>, deviation: number): number {
  if (cost_function === 'Quadratic') return weight * deviation * deviation
  return weight * (cost_function === 'Step' ? Number(deviation > 0) : deviation)
}

/** How far a number is outside of a span. */
export function outside(value: number, least: number, most: number): number {
  return Math.max(0, least - value, value - most)
}

/** How far a sum of shares is outside of a span, rounded up; a hair above a whole number, which adding shares leaves, is that number. */
export function outsideInWhole(sum: number, least: number, most: number): number {
  return Math.ceil(outside(sum, least, most) - 1e-6)
}
