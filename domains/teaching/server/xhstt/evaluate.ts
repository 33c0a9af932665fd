import { costOf, outside, outsideInWhole } from './instance.ts'
import type { Constraint, ConstraintKind, Cost, Instance, SubEvent, TimeSpan } from './instance.ts'

/** A solution as the constraints look at it: sub-events of each event, and at how many sub-events a resource is at each time. */
type View = { instance: Instance; of_event: readonly (readonly SubEvent[])[]; sub_events: readonly SubEvent[]; busy: Int16Array;
  times: number }
type Deviations = (constraint: Constraint, view: View) => number[]

/** Infeasibility and objective value of a solution, exactly as the XHSTT definition has them. */
export function evaluate(instance: Instance, sub_events: readonly SubEvent[]): Cost {
  const cost = { hard: 0, soft: 0 }
  for (const { constraint, cost: own } of costsOf(instance, sub_events)) cost[constraint.required ? 'hard' : 'soft'] += own
  return cost
}

/** What each constraint costs. */
function costsOf(instance: Instance, sub_events: readonly SubEvent[]): { constraint: Constraint; cost: number }[] {
  const view = viewOf(instance, sub_events)
  return instance.constraints.map(constraint => ({ constraint, cost: deviations[constraint.kind](constraint, view).reduce((sum, one) => sum
    + costOf(constraint, one), 0) }))
}

function viewOf(instance: Instance, sub_events: readonly SubEvent[]): View {
  const times = instance.times.length
  const of_event: SubEvent[][] = instance.events.map(() => [])
  const busy = new Int16Array(instance.resources.length * times)
  for (const one of sub_events) {
    of_event[one.event]?.push(one)
    for (const r of one.resources) for (const time of r < 0 ? [] : running(one, times)) busy[r * times
      + time] = (busy[r * times + time] ?? 0) + 1
  }
  return { instance, of_event, sub_events, busy, times }
}

function running({ time, duration }: SubEvent, times: number): number[] {
  return time < 0 ? [] : Array.from({ length: Math.min(duration, times - time) }, (_, at) => time + at)
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const subsOf = ({ of_event }: View, event: number) => of_event[event] ?? []
/** Events of a constraint that have its role. */
function withRole({ events, role }: Constraint, view: View): { subs: readonly SubEvent[]; at: number }[] {
  return events.flatMap(n => {
    const own = view.instance.events[n]?.resources ?? []
    const at = own.findIndex(one => one.role === role)
    return at < 0 ? [] : [{ subs: subsOf(view, n), at }]
  })
}

const busyAt = ({ busy, times }: View, resource: number, time: number) => (busy[resource * times + time] ?? 0) > 0
const busyCount = (view: View, resource: number, { times }: TimeSpan) => times.filter(time => busyAt(view, resource, time)).length

function idleCount(view: View, resource: number, { times }: TimeSpan): number {
  const taken = times.map(time => busyAt(view, resource, time))
  const [first, last] = [taken.indexOf(true), taken.lastIndexOf(true)]
  return first < 0 ? 0 : taken.slice(first, last).filter(one => !one).length
}

/** Share of the workload of an event's resource that falls to a sub-event, or to its part within some times. */
function workloadOf(view: View, resource: number, within: readonly number[] | null): number {
  return sum(view.sub_events.flatMap(one => one.resources.flatMap((r, at) => {
    const event = view.instance.events[one.event]
    if (r !== resource || !event) return []
    const whole = event.resources[at]?.workload ?? event.workload ?? event.duration
    const part = within === null ? one.duration : running(one, view.times).filter(time => within.includes(time)).length
    return [(part * whole) / event.duration]
  })))
}

const deviations: Readonly<Record<ConstraintKind, Deviations>> = {
  AssignTime: ({ events }, view) => events.map(n => sum(subsOf(view, n).filter(one => one.time < 0).map(one => one.duration))),
  AssignResource: (constraint, view) => withRole(constraint, view).map(({ subs, at }) =>
    sum(subs.filter(one => (one.resources[at] ?? -1) < 0).map(one => one.duration))),
  PreferResources: (constraint, view) => withRole(constraint, view).map(({ subs, at }) =>
    sum(subs.filter(one => (one.resources[at] ?? -1) >= 0 && !constraint.preferred.includes(one.resources[at] ?? -1)).map(one =>
      one.duration))),
  PreferTimes: ({ events, times, duration }, view) => events.map(n =>
    sum(subsOf(view, n).filter(one => one.time >= 0 && (duration === null || one.duration === duration)
      && !times.includes(one.time)).map(one => one.duration))),
  SplitEvents: ({ events, least, most, shortest, longest }, view) => events.map(n => {
    const subs = subsOf(view, n)
    return subs.filter(one => one.duration < shortest || one.duration > longest).length + outside(subs.length, least, most)
  }),
  DistributeSplitEvents: ({ events, least, most, duration }, view) =>
    events.map(n => outside(subsOf(view, n).filter(one => one.duration === duration).length, least, most)),
  AvoidSplitAssignments: ({ event_groups, role }, view) => event_groups.map(group => {
    const used = group.flatMap(n => {
      const at = view.instance.events[n]?.resources.findIndex(one => one.role === role) ?? -1
      return at < 0 ? [] : subsOf(view, n).flatMap(one => ((one.resources[at] ?? -1) < 0 ? [] : [one.resources[at]]))
    })
    return Math.max(0, new Set(used).size - 1)
  }),
  SpreadEvents: ({ event_groups, time_groups }, view) => event_groups.map(group => {
    const subs = group.flatMap(n => subsOf(view, n))
    return sum(time_groups.map(({ times, least, most }) => outside(subs.filter(one => times.includes(one.time)).length, least, most)))
  }),
  LinkEvents: ({ event_groups }, view) => event_groups.map(group => {
    const used = group.map(n => new Set(subsOf(view, n).flatMap(one => running(one, view.times))))
    return Array.from({ length: view.times }, (_, time) => used.filter(one => one.has(time)).length).filter(count => count > 0
      && count < group.length).length
  }),
  OrderEvents: ({ pairs }, view) => pairs.map(({ first, second, least, most }) => {
    const [before, after] = [subsOf(view, first), subsOf(view, second)]
    if ([...before, ...after].some(one => one.time < 0)) return 0
    const gap = Math.min(...after.map(one => one.time)) - Math.max(...before.map(one => one.time + one.duration))
    return outside(gap, least, most)
  }),
  AvoidClashes: ({ resources }, { busy, times }) => resources.map(r => sum([...busy.subarray(r * times, (r + 1) * times)].map(count =>
    Math.max(0, count - 1)))),
  AvoidUnavailableTimes: ({ resources, times }, view) => resources.map(r => times.filter(time => busyAt(view, r, time)).length),
  LimitIdleTimes: ({ resources, time_groups, least, most }, view) =>
    resources.map(r => outside(sum(time_groups.map(group => idleCount(view, r, group))), least, most)),
  ClusterBusyTimes: ({ resources, time_groups, least, most }, view) =>
    resources.map(r => outside(time_groups.filter(group => busyCount(view, r, group) > 0).length, least, most)),
  LimitBusyTimes: ({ resources, time_groups, least, most }, view) => resources.map(r => sum(time_groups.map(group => {
    const count = busyCount(view, r, group)
    return count === 0 ? 0 : outside(count, least, most)
  }))),
  LimitWorkload: ({ resources, time_groups, least, most }, view) => resources.map(r => (time_groups.length === 0
    ? outsideInWhole(workloadOf(view, r, null), least, most)
    : sum(time_groups.map(group => outsideInWhole(workloadOf(view, r, group.times), least, most))))),
}
