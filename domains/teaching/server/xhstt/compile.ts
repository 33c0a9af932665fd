import { costOf, outside } from './instance.ts'
import type { Constraint, CostFunction, Instance } from './instance.ts'

/** A rule of blocks: `ok` says of times or resources whether they are preferred. */
export type BlockRule = { constraint: Constraint; block: number; role: number; times_counted: number; ok: Uint8Array }
/** A constraint at one resource; `groups` by their times, `always`: groups in which the load proves that the resource is busy. */
export type ResourceRule = { constraint: Constraint; resource: number; groups: readonly (readonly number[])[]; always: readonly boolean[] }
/** How often events of a group begin in a group of times; an event that is merged twice counts twice. */
type SpreadRule = { constraint: Constraint; blocks: readonly number[] }
/** Rules that are worked out anew when one of their blocks changes. */
export type SlowRule = { constraint: Constraint; blocks: readonly number[]; at: number }
type SplitRule = { constraint: Constraint; roles: readonly { block: number; role: number }[] }

/** Events that must be at the same times are one block; `open`: roles whose resource the search chooses, with the choices. */
export type Block = {
  events: readonly number[]; duration: number; time: number; fixed: readonly number[]
  open: readonly { event: number; at: number; choices: readonly number[]; work: number }[]
  /** times by duration at which a sub-event may begin */
  domains: readonly (readonly number[])[]
}
export type Compiled = {
  instance: Instance; blocks: readonly Block[]; block_rules: readonly BlockRule[]; resource_rules: readonly ResourceRule[]
  spreads: readonly SpreadRule[]; slow: readonly SlowRule[]; splits: readonly SplitRule[]
}

/** Prepares an instance for the search: linked events are merged, times that hard rules forbid are left out (chapter 50 §3.9.1, 2). */
export function compile(instance: Instance): Compiled {
  const { blocks, of_event } = mergeLinked(instance)
  const whole = blocks.map((events): Block => blockOf(instance, events))
  const applied = (kinds: readonly Constraint['kind'][]) => instance.constraints.filter(one => kinds.includes(one.kind))
  const block_rules = applied(['AssignTime', 'PreferTimes', 'SplitEvents', 'DistributeSplitEvents', 'AssignResource',
    'PreferResources']).flatMap(one => blockRules(instance, one, whole, of_event))
  const spreads = applied(['SpreadEvents']).flatMap(constraint => constraint.event_groups.map((group): SpreadRule =>
    ({ constraint, blocks: group.map(n => of_event[n] ?? 0) })))
  const links = applied(['LinkEvents']).flatMap(constraint => constraint.event_groups.flatMap((group, at): SlowRule[] => {
    const own = [...new Set(group.map(n => of_event[n] ?? 0))]
    return own.length < 2 ? [] : [{ constraint, blocks: own, at }]
  }))
  const orders = applied(['OrderEvents']).flatMap(constraint => constraint.pairs.map(({ first, second }, at): SlowRule =>
    ({ constraint, blocks: [of_event[first] ?? 0, of_event[second] ?? 0], at })))
  const splits = applied(['AvoidSplitAssignments']).flatMap(constraint => constraint.event_groups.map((group): SplitRule =>
    ({ constraint, roles: group.flatMap(n => openRole(whole, of_event, instance, n, constraint.role)) })))
  const resource_rules = applied(['AvoidClashes', 'AvoidUnavailableTimes', 'LimitIdleTimes', 'ClusterBusyTimes', 'LimitBusyTimes',
    'LimitWorkload']).flatMap(constraint => constraint.resources.map(resource => resourceRule(instance, constraint, resource)))
  return { instance, blocks: whole, block_rules, resource_rules, spreads, slow: [...links, ...orders], splits: splits.filter(one =>
    one.roles.length > 0) }
}

function mergeLinked(instance: Instance): { blocks: number[][]; of_event: Int32Array } {
  const root = Int32Array.from(instance.events, (_event, n) => n)
  const find = (n: number): number => (root[n] === n ? n : find(root[n] ?? n))
  const groups = instance.constraints.flatMap(({ kind, required, event_groups }) => (kind === 'LinkEvents' && required ? event_groups : []))
  for (const group of groups) {
    const [first = 0] = group
    const alike = group.every(n => instance.events[n]?.duration === instance.events[first]?.duration
      && instance.events[n]?.time === instance.events[first]?.time)
    if (alike) for (const n of group) root[find(n)] = find(first)
  }
  const blocks = [...Map.groupBy(instance.events.keys(), find).values()]
  const of_event = new Int32Array(instance.events.length)
  for (const [b, events] of blocks.entries()) for (const n of events) of_event[n] = b
  return { blocks, of_event }
}

function blockOf(instance: Instance, events: readonly number[]): Block {
  const own = events.flatMap(n => instance.events[n] ?? [])
  const duration = own[0]?.duration ?? 1
  const fixed = own.flatMap(event => event.resources.flatMap(one => (one.resource >= 0 ? [one.resource] : [])))
  const open = events.flatMap(n => (instance.events[n]?.resources ?? []).flatMap((one, at) => (one.resource >= 0 ? [] : [{
    event: n, at, choices: choicesOf(instance, n, one), work: (one.workload ?? instance.events[n]?.workload ?? duration) / duration,
  }])))
  const time = own[0]?.time ?? -1
  const domains = Array.from({ length: duration + 1 }, (_, length) => (time >= 0 ? [time] : domainOf(instance, events, fixed, length)))
  return { events, duration, time, fixed, open, domains }
}

/** Resources of the type that hard preferences of the role allow; all of the type where none is left. */
function choicesOf({ constraints, resources }: Instance, event: number, { role, type }: { role: string | null; type: number }): number[] {
  const alike = [...resources.keys()].filter(r => resources[r]?.type === type)
  const rules = constraints.filter(one => one.kind === 'PreferResources' && one.required && one.role === role && one.events.includes(event))
  const allowed = alike.filter(r => rules.every(rule => rule.preferred.includes(r)))
  return allowed.length > 0 ? allowed : alike
}

function domainOf(instance: Instance, events: readonly number[], fixed: readonly number[], duration: number): number[] {
  const all = Array.from({ length: Math.max(0, instance.times.length - duration + 1) }, (_, time) => time)
  const hard = instance.constraints.filter(one => one.required)
  const prefers = hard.filter(one => one.kind === 'PreferTimes' && (one.duration === null || one.duration === duration)
    && events.some(n => one.events.includes(n))).map(one => new Set(one.times))
  const shut = new Set(hard.filter(one => one.kind === 'AvoidUnavailableTimes'
    && fixed.some(r => one.resources.includes(r))).flatMap(one => one.times))
  const within = (time: number) => Array.from({ length: duration }, (_, k) => time + k)
  const allowed = all.filter(time => prefers.every(times => times.has(time)) && within(time).every(each => !shut.has(each)))
  return allowed.length > 0 ? allowed : all
}

function openRole(blocks: readonly Block[], of_event: Int32Array, { events }: Instance, event: number,
  role: string | null): { block: number; role: number }[] {
  const block = of_event[event] ?? 0
  const found = blocks[block]?.open.findIndex(one => one.event === event && events[event]?.resources[one.at]?.role === role) ?? -1
  return found < 0 ? [] : [{ block, role: found }]
}

function blockRules(instance: Instance, constraint: Constraint, blocks: readonly Block[], of_event: Int32Array): BlockRule[] {
  const by_role = constraint.kind === 'AssignResource' || constraint.kind === 'PreferResources'
  const ok = new Uint8Array(Math.max(instance.times.length, instance.resources.length))
  for (const n of by_role ? constraint.preferred : constraint.times) ok[n] = 1
  if (by_role) return constraint.events.flatMap(n => openRole(blocks, of_event, instance, n, constraint.role).map((one): BlockRule =>
    ({ constraint, ...one, times_counted: 1, ok })))
  return [...Map.groupBy(constraint.events, n => of_event[n] ?? 0)].map(([block, events]): BlockRule =>
    ({ constraint, block, role: -1, times_counted: events.length, ok }))
}

function resourceRule(instance: Instance, constraint: Constraint, resource: number): ResourceRule {
  const groups = constraint.kind === 'AvoidUnavailableTimes' ? [constraint.times] : constraint.time_groups.map(one => one.times)
  if (constraint.kind !== 'LimitBusyTimes' || constraint.least < 2) return { constraint, resource, groups, always: groups.map(() => false) }
  const load = instance.events.reduce((sum, event) => sum + (event.resources.some(one => one.resource === resource) ? event.duration : 0),
    0)
  const shut = new Set(instance.constraints.filter(one => one.kind === 'AvoidUnavailableTimes' && one.required
    && one.resources.includes(resource)).flatMap(one => one.times))
  const open = groups.map(times => times.filter(time => !shut.has(time)).length)
  const beyond = instance.times.filter((_time, n) => !shut.has(n) && !groups.some(times => times.includes(n))).length
  const room = open.reduce((sum, one) => sum + Math.min(one, constraint.required ? constraint.most : one), beyond)
  return { constraint, resource, groups, always: open.map(one => load > room - Math.min(one, constraint.required ? constraint.most : one)) }
}

/** Ways to part a duration, the parts in falling order. */
export function partitions(duration: number, most = duration): number[][] {
  if (duration === 0) return [[]]
  return Array.from({ length: Math.min(duration, most) }, (_, at) => Math.min(duration, most) - at).flatMap(part =>
    partitions(duration - part, part).map(rest => [part, ...rest]))
}

/** What the rules about splitting cost for a way to part a block. */
export function splitCost(rules: readonly BlockRule[], parts: readonly number[]): number {
  return rules.reduce((sum, { constraint, times_counted }) => {
    const { kind, least, most, shortest, longest, duration, required } = constraint
    const deviation = kind === 'SplitEvents' ? parts.filter(part => part < shortest || part > longest).length
      + outside(parts.length, least, most)
      : kind === 'DistributeSplitEvents' ? outside(parts.filter(part => part === duration).length, least, most) : 0
    return sum + times_counted * costOf(constraint, deviation) * (required ? 1000 : 1)
  }, 0)
}

/** Costs of deviations as a table, for loops that have no time for branches. */
export function costTable(constraint: { weight: number; cost_function: CostFunction }, most: number): Float64Array {
  return Float64Array.from({ length: most + 1 }, (_, deviation) => costOf(constraint, deviation))
}

/** Blocks × blocks: 1 where they share a resource. */
export function sharingOf({ blocks, instance }: Compiled): Uint8Array {
  const found = new Uint8Array(blocks.length * blocks.length)
  const of_resource: number[][] = instance.resources.map(() => [])
  for (const [b, { fixed }] of blocks.entries()) for (const r of new Set(fixed)) of_resource[r]?.push(b)
  for (const list of of_resource) for (const a of list) for (const b of list) found[a * blocks.length + b] = 1
  return found
}
