import { constraint_kinds } from './instance.ts'
import type { Archive, Constraint, ConstraintKind, CostFunction, Event, EventResource, Instance, SubEvent } from './instance.ts'
import { childOf, idOf, listOf, numberOf, parseXml, referenceOf, textOf } from './xml.ts'
import type { Element } from './xml.ts'

/** Numbers by the ids of the file, and the members of its groups. */
type Names = { times: Map<string, number>; resources: Map<string, number>; events: Map<string, number>; groups: Map<string, number[]> }
const cost_functions: readonly CostFunction[] = ['Linear', 'Quadratic', 'Step']

/** Reads an archive of the XHSTT project: instances, and the solutions it keeps. @throws Error that names what is unknown or missing */
export function readArchive(text: string): Archive {
  const root = parseXml(text)
  const read = listOf(root, 'Instances').map(readInstance)
  const known = new Map(read.map(one => [one.instance.id, one]))
  const solutions = listOf(root, 'SolutionGroups').flatMap(group => group.children.filter(child =>
    child.name === 'Solution').flatMap(solution => {
    const of = known.get(referenceOf(solution) ?? '')
    return of ? [{ instance: of.instance, name: idOf(group), sub_events: readSolution(solution, of), stated: statedCost(solution) }] : []
  }))
  return { instances: read.map(one => one.instance), solutions }
}

function statedCost(solution: Element) {
  const report = childOf(solution, 'Report')
  return report ? { hard: numberOf(report, 'InfeasibilityValue', 0), soft: numberOf(report, 'ObjectiveValue', 0) } : null
}

function readInstance(element: Element): { instance: Instance; names: Names } {
  const names: Names = { times: new Map(), resources: new Map(), events: new Map(), groups: new Map() }
  const times = listOf(element, 'Times').filter(one => one.name === 'Time')
  for (const [n, time] of times.entries()) {
    names.times.set(idOf(time), n)
    join(names, n, [childOf(time, 'Day'), childOf(time, 'Week'), ...listOf(time, 'TimeGroups')])
  }
  const types = listOf(childOf(element, 'Resources'), 'ResourceTypes').map(idOf)
  const resources = listOf(element, 'Resources').filter(one => one.name === 'Resource')
  for (const [n, resource] of resources.entries()) {
    names.resources.set(idOf(resource), n)
    join(names, n, listOf(resource, 'ResourceGroups'))
  }
  const typeOf = (one: Element) => types.indexOf(referenceOf(childOf(one, 'ResourceType')) ?? '')
  const kinds = resources.map(one => ({ id: idOf(one), type: typeOf(one) }))
  const events = listOf(element, 'Events').filter(one => one.name === 'Event')
  for (const [n, event] of events.entries()) {
    names.events.set(idOf(event), n)
    join(names, n, [childOf(event, 'Course'), ...listOf(event, 'EventGroups')])
  }
  const read = events.map(event => readEvent(event, names, types, kinds))
  const constraints = listOf(element, 'Constraints').map(one => readConstraint(one, names))
  return { instance: { id: idOf(element), times: times.map(idOf), resource_types: types, resources: kinds, events: read, constraints },
    names }
}

/** Days and weeks are groups of times, courses are groups of events. */
const group_kinds: Readonly<Record<string, string>> = { Day: 'TimeGroup', Week: 'TimeGroup', Course: 'EventGroup' }

function join({ groups }: Names, n: number, references: readonly (Element | undefined)[]): void {
  for (const one of references) {
    const id = referenceOf(one)
    if (!one || id === null) continue
    const key = `${group_kinds[one.name] ?? one.name} ${id}`
    const members = groups.get(key) ?? []
    if (members.at(-1) !== n) members.push(n)
    groups.set(key, members)
  }
}

function readEvent(element: Element, names: Names, types: readonly string[], resources: Instance['resources']): Event {
  const single = listOf(element, 'Resources').map((one): EventResource => {
    const resource = referenceOf(one) === null ? -1 : need(names.resources, referenceOf(one), 'Resource')
    const type = types.indexOf(referenceOf(childOf(one, 'ResourceType')) ?? '')
    return { role: textOf(one, 'Role'), type: type < 0 ? (resources[resource]?.type ?? 0) : type, resource,
      workload: textOf(one, 'Workload') === null ? null : numberOf(one, 'Workload', 0) }
  })
  const grouped = listOf(element, 'ResourceGroups').flatMap(one => membersOf(names, 'ResourceGroup', referenceOf(one)))
  const time = childOf(element, 'Time')
  return {
    id: idOf(element), duration: numberOf(element, 'Duration', 1), workload: textOf(element, 'Workload') === null ? null
      : numberOf(element, 'Workload', 0),
    time: referenceOf(time) === null ? -1 : need(names.times, referenceOf(time), 'Time'),
    resources: [...single, ...grouped.map((resource): EventResource => ({ role: null, type: resources[resource]?.type ?? 0, resource,
      workload: null }))],
  }
}

function need(map: ReadonlyMap<string, number>, id: string | null, what: string): number {
  const found = map.get(id ?? '')
  if (found === undefined) throw new Error(`${what} ${id} is not in the instance.`)
  return found
}

/** A group without members is not an error. */
function membersOf({ groups }: Names, kind: string, id: string | null): readonly number[] {
  return groups.get(`${kind} ${id}`) ?? []
}

function kindOf(name: string): ConstraintKind {
  const found = constraint_kinds.find(kind => `${kind}Constraint` === name)
  if (!found) throw new Error(`Constraint kind ${name} is unknown.`)
  return found
}

const distinct = (list: readonly number[]) => [...new Set(list)].toSorted((a, b) => a - b)

function readConstraint(element: Element, names: Names): Constraint {
  const kind = kindOf(element.name)
  const cost_function = cost_functions.find(one => one === (textOf(element, 'CostFunction') ?? 'Linear'))
  if (!cost_function) throw new Error(`Cost function ${textOf(element, 'CostFunction')} of ${idOf(element)} is unknown.`)
  const applied = childOf(element, 'AppliesTo')
  const [least, most] = [numberOf(element, 'Minimum', 0), numberOf(element, 'Maximum', Infinity)]
  const groups = listOf(applied, 'EventGroups').map(one => membersOf(names, 'EventGroup', referenceOf(one)))
  const single = listOf(applied, 'Events').map(one => need(names.events, referenceOf(one), 'Event'))
  const pairs = listOf(applied, 'EventPairs').map(one => ({
    first: need(names.events, referenceOf(childOf(one, 'FirstEvent')), 'Event'), second: need(names.events,
      referenceOf(childOf(one, 'SecondEvent')), 'Event'),
    least: numberOf(one, 'MinSeparation', 0), most: numberOf(one, 'MaxSeparation', Infinity),
  }))
  const time_groups = listOf(element, 'TimeGroups').map(one => ({ times: membersOf(names, 'TimeGroup', referenceOf(one)),
    least: numberOf(one, 'Minimum', least), most: numberOf(one, 'Maximum', most) }))
  const times = listOf(element, 'Times').map(one => need(names.times, referenceOf(one), 'Time'))
  return {
    id: idOf(element), kind, required: textOf(element, 'Required') === 'true', weight: numberOf(element, 'Weight', 1), cost_function, pairs,
    events: distinct([...single, ...groups.flat()]), event_groups: groups,
    resources: distinct([...listOf(applied, 'ResourceGroups').flatMap(one => membersOf(names, 'ResourceGroup', referenceOf(one))),
      ...listOf(applied, 'Resources').map(one => need(names.resources, referenceOf(one), 'Resource'))]),
    role: textOf(element, 'Role'), times: distinct([...times, ...time_groups.flatMap(one => one.times)]), time_groups,
    preferred: distinct([...listOf(element, 'ResourceGroups').flatMap(one => membersOf(names, 'ResourceGroup', referenceOf(one))),
      ...listOf(element, 'Resources').map(one => need(names.resources, referenceOf(one), 'Resource'))]),
    least: numberOf(element, 'MinimumAmount', least), most: numberOf(element, 'MaximumAmount', most),
    shortest: numberOf(element, 'MinimumDuration', 1), longest: numberOf(element, 'MaximumDuration', Infinity),
    duration: textOf(element, 'Duration') === null ? null : numberOf(element, 'Duration', 1),
  }
}

/** Sub-events of a solution; what it leaves out of an event stands as a sub-event without a time. */
function readSolution(element: Element, { instance, names }: { instance: Instance; names: Names }): SubEvent[] {
  const left = instance.events.map(event => event.duration)
  const found = listOf(element, 'Events').map((one): SubEvent => {
    const n = need(names.events, referenceOf(one), 'Event')
    const event = instance.events[n]
    const duration = numberOf(one, 'Duration', event?.duration ?? 1)
    left[n] = (left[n] ?? 0) - duration
    const time = referenceOf(childOf(one, 'Time'))
    const given = new Map(listOf(one, 'Resources').map(child => [textOf(child, 'Role'), need(names.resources, referenceOf(child),
      'Resource')]))
    const resources = (event?.resources ?? []).map(each => (each.resource >= 0 ? each.resource : (given.get(each.role) ?? -1)))
    return { event: n, duration, time: time === null ? (event?.time ?? -1) : need(names.times, time, 'Time'), resources }
  })
  const missing = left.flatMap((duration, n): SubEvent[] => {
    const event = instance.events[n]
    return duration > 0 && event ? [{ event: n, duration, time: event.time, resources: event.resources.map(one => one.resource) }] : []
  })
  return [...found, ...missing]
}
