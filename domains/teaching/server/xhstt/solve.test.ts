import { expect, test } from 'vitest'
import { mulberry } from '../solve/anneal.ts'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import type { Constraint, Instance } from './instance.ts'
import { Neighbourhood } from './neighbourhood.ts'
import { solve } from './solve.ts'
import { State } from './state.ts'

const [days, per_day, classes, teachers, rooms] = [5, 4, 4, 6, 5] as const
const times = days * per_day
const every = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n)

/** A school with a rule of every kind; durations 1 to 4, a room for every event, two linked and two ordered events. */
function school(): Instance {
  const resources = [...every(classes).map(n => ({ id: `c${n}`, type: 0 })), ...every(teachers).map(n => ({ id: `t${n}`, type: 1 })),
    ...every(rooms).map(n => ({ id: `r${n}`, type: 2 }))]
  const events = every(24).map(n => ({
    id: `e${n}`, duration: n < 2 ? 2 : n === 23 ? 1 : (n % 3) + 1, workload: null, time: n === 23 ? 5 : -1,
    resources: [{ role: null, type: 0, resource: n % classes, workload: null }, { role: null, type: 1, resource: classes
      + (n * 5) % teachers, workload: null }, { role: 'Room', type: 2, resource: -1, workload: 2 }],
  }))
  const spans = every(days).map(day => ({ times: every(per_day, day * per_day), least: 0, most: 1 }))
  const blank: Constraint = {
    id: '', kind: 'AssignTime', required: true, weight: 1, cost_function: 'Linear', events: [], event_groups: [], pairs: [], resources: [],
      role: null, times: [], preferred: [], time_groups: [],
    least: 0, most: Infinity, shortest: 1, longest: Infinity, duration: null,
  }
  const all = every(24)
  const people = every(classes + teachers)
  const constraints: Constraint[] = [
    { ...blank, events: all }, { ...blank, kind: 'AssignResource', events: all, role: 'Room' }, { ...blank, kind: 'SplitEvents',
      events: all, longest: 2, least: 1, most: 4 },
    { ...blank, kind: 'DistributeSplitEvents', required: false, events: all, duration: 2, least: 1, most: 1, cost_function: 'Quadratic' },
    { ...blank, kind: 'PreferResources', required: false, events: all, role: 'Room', preferred: [classes + teachers, classes + teachers
      + 1] },
    { ...blank, kind: 'PreferTimes', events: all, duration: 2, times: all.filter(time => time % per_day < per_day - 1 && time < times) },
    { ...blank, kind: 'AvoidSplitAssignments', required: false, event_groups: [[3, 4, 5], [6, 7]], role: 'Room' },
    { ...blank, kind: 'SpreadEvents', event_groups: [[2], [3], [6], [7, 11]], time_groups: spans }, { ...blank, kind: 'LinkEvents',
      event_groups: [[0, 1]] },
    { ...blank, kind: 'LinkEvents', required: false, event_groups: [[2, 3]] }, { ...blank, kind: 'OrderEvents', required: false,
      pairs: [{ first: 8, second: 9, least: 1, most: 6 }] },
    { ...blank, kind: 'AvoidClashes', resources: every(resources.length) }, { ...blank, kind: 'AvoidUnavailableTimes', resources: [4, 5],
      times: [0, 1, 9] },
    { ...blank, kind: 'LimitIdleTimes', required: false, weight: 3, resources: people, time_groups: spans, most: 0,
      cost_function: 'Quadratic' },
    { ...blank, kind: 'ClusterBusyTimes', required: false, weight: 2, resources: people, time_groups: spans, most: 4 },
    { ...blank, kind: 'LimitBusyTimes', required: false, resources: people, time_groups: spans, least: 2, most: 3, cost_function: 'Step' },
    { ...blank, kind: 'LimitWorkload', required: false, resources: every(rooms, classes + teachers), least: 3, most: 9 },
  ]
  return { id: 'school', times: every(times).map(String), resource_types: ['c', 't', 'r'], resources, events, constraints }
}

test('the cost that every move works out by itself is the evaluator\'s, and moves are taken back without a trace', () => {
  const instance = school()
  const search = new Neighbourhood(new State(compile(instance)), mulberry(3), 10)
  search.construct()
  const random = mulberry(9)
  const costs = Array.from({ length: 4000 }, () => {
    const before = { hard: search.hard, soft: search.soft }
    const takes_back = search.propose() > 0 && random() < 0.7
    if (takes_back) search.takeBack()
    return { now: { hard: search.hard, soft: search.soft }, due: takes_back ? before : evaluate(instance, search.state.subEvents()) }
  })
  expect(costs.find(({ now, due }) => now.hard !== due.hard || now.soft !== due.soft)).toBeUndefined()
})

test('50-A26 in small: nothing hard is left, sub-events add up to their events, and the same seed gives the same solution', () => {
  const instance = school()
  let now = 0
  const options = { seed: 5, seconds: 2, clock: () => { now += 20; return now }, hard_weight: 30, hot: 6, cold: 0.3 }
  const found = solve(instance, options)
  expect(found.cost.hard).toBe(0)
  expect(evaluate(instance, found.sub_events)).toEqual(found.cost)
  const totals = Map.groupBy(found.sub_events, one => one.event)
  expect([...totals].every(([n, list]) => list.reduce((sum, one) => sum + one.duration, 0) === instance.events[n]?.duration)).toBe(true)
  now = 0
  expect(solve(instance, options)).toEqual(found)
})
