import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { readArchive } from './reader.ts'

type Micro = { constraint: string; solution: string; more?: string }
/**
 * Six times of two days, teachers t1 and t2, rooms r1 and r2; events A (2 times, t1, a room), B (1 time, t1) and C (1 time, t2);
 * group G holds A and B.
 */
function micro({ constraint, solution, more = '' }: Micro): string {
  const room = '<Resource><Role>Room</Role><ResourceType Reference="R"/></Resource>'
  const in_group = '<EventGroup Reference="G"/>'
  return `<?xml version="1.0"?><HighSchoolTimetableArchive><Instances><Instance Id="M">
    <Times><TimeGroups><Day Id="d1"/><Day Id="d2"/><TimeGroup Id="first"/></TimeGroups>
      ${[1, 2].flatMap(day => [1, 2, 3].map(at => timeOf(day, at))).join('')}</Times>
    <Resources><ResourceTypes><ResourceType Id="T"/><ResourceType Id="R"/></ResourceTypes>
      <ResourceGroups><ResourceGroup Id="allT"/><ResourceGroup Id="allR"/></ResourceGroups>
      ${resourceOf('t1', 'T')}${resourceOf('t2', 'T')}${resourceOf('r1', 'R')}${resourceOf('r2', 'R')}</Resources>
    <Events><EventGroups><EventGroup Id="G"/><Course Id="courseA"/></EventGroups>
      ${eventOf('A', 2, 't1', room, in_group)}${eventOf('B', 1, 't1', '', in_group)}${eventOf('C', 1, 't2', '', '')}</Events>
    <Constraints>${constraint}</Constraints></Instance></Instances>
    <SolutionGroups><SolutionGroup Id="S"><Solution Reference="M"><Events>${solution}</Events>${more}</Solution></SolutionGroup>
    </SolutionGroups>
  </HighSchoolTimetableArchive>`
}

function timeOf(day: number, at: number): string {
  const first = at === 1 ? '<TimeGroup Reference="first"/>' : ''
  return `<Time Id="d${day}_${at}"><Day Reference="d${day}"/><TimeGroups>${first}</TimeGroups></Time>`
}

function resourceOf(id: string, type: string): string {
  const groups = `<ResourceGroups><ResourceGroup Reference="all${type}"/></ResourceGroups>`
  return `<Resource Id="${id}"><ResourceType Reference="${type}"/>${groups}</Resource>`
}

function eventOf(id: string, duration: number, teacher: string, room: string, group: string): string {
  const taught = `<Resource Reference="${teacher}"><Role>Teacher</Role><ResourceType Reference="T"/></Resource>`
  return `<Event Id="${id}"><Duration>${duration}</Duration><Course Reference="course${id}"/>
    <Resources>${taught}${room}</Resources><EventGroups>${group}</EventGroups></Event>`
}

function rule(kind: string, inner: string, { cost_function = 'Linear', required = true, weight = 3 } = {}): string {
  const head = `<Required>${required}</Required><Weight>${weight}</Weight><CostFunction>${cost_function}</CostFunction>`
  return `<${kind}Constraint Id="x">${head}${inner}</${kind}Constraint>`
}

const on = (inner: string) => `<AppliesTo>${inner}</AppliesTo>`
const events = (...ids: string[]) => on(`<Events>${ids.map(id => `<Event Reference="${id}"/>`).join('')}</Events>`)
const group = (id = 'G') => on(`<EventGroups><EventGroup Reference="${id}"/></EventGroups>`)
const teachers = on('<ResourceGroups><ResourceGroup Reference="allT"/></ResourceGroups>')
const days = (inner = '') =>
  `<TimeGroups><TimeGroup Reference="d1">${inner}</TimeGroup><TimeGroup Reference="d2">${inner}</TimeGroup></TimeGroups>`
const span = (least: number, most: number) => `<Minimum>${least}</Minimum><Maximum>${most}</Maximum>`
const sub = (id: string, time: string, duration = '', room = '') =>
  `<Event Reference="${id}">${duration === '' ? '' : `<Duration>${duration}</Duration>`}${time === '' ? '' : `<Time Reference="${time}"/>`}
  ${room === '' ? '' : `<Resources><Resource Reference="${room}"><Role>Room</Role></Resource></Resources>`}</Event>`
const costs = (constraint: string, solution: string) => {
  const [kept] = readArchive(micro({ constraint, solution })).solutions
  return kept ? evaluate(kept.instance, kept.sub_events).hard : NaN
}

const pair = (apart: string) =>
  on(`<EventPairs><EventPair><FirstEvent Reference="A"/><SecondEvent Reference="B"/>${apart}</EventPair></EventPairs>`)
const whole = '<MinimumDuration>2</MinimumDuration><MaximumDuration>2</MaximumDuration>'
  + '<MinimumAmount>1</MinimumAmount><MaximumAmount>1</MaximumAmount>'

/** Deviation of each kind, worked out by hand. */
const table: [kind: string, inner: string, solution: string, deviation: number][] = [
  ['AssignTime', events('A', 'C'), sub('A', '') + sub('C', 'd1_1'), 2],
  ['AssignResource', events('A') + '<Role>Room</Role>', sub('A', 'd1_1', '1') + sub('A', 'd2_1', '1', 'r1'), 1],
  ['PreferResources', events('A') + '<Resources><Resource Reference="r1"/></Resources><Role>Room</Role>', sub('A', 'd1_1', '', 'r2'), 2],
  ['PreferTimes', events('A') + '<TimeGroups><TimeGroup Reference="first"/></TimeGroups>', sub('A', 'd1_2'), 2],
  ['PreferTimes', events('A') + '<Times><Time Reference="d1_1"/></Times><Duration>1</Duration>', sub('A', 'd1_2', '1')
    + sub('A', 'd2_1', '1'), 2],
  ['SplitEvents', events('A') + whole, sub('A', 'd1_1', '1') + sub('A', 'd2_1', '1'), 3],
  ['DistributeSplitEvents', events('A') + '<Duration>2</Duration>' + span(2, 2), sub('A', 'd1_1'), 1],
  ['AvoidSplitAssignments', group() + '<Role>Room</Role>', sub('A', 'd1_1', '1', 'r1') + sub('A', 'd2_1', '1', 'r2'), 1],
  ['SpreadEvents', group() + days(span(0, 1)), sub('A', 'd1_1', '1') + sub('A', 'd1_2', '1') + sub('B', 'd1_3'), 2],
  ['SpreadEvents', group() + days(span(1, 2)), sub('A', 'd1_1') + sub('B', 'd1_3'), 1],
  ['LinkEvents', group(), sub('A', 'd1_1') + sub('B', 'd1_1'), 1],
  ['LinkEvents', group(), sub('A', 'd1_1') + sub('B', 'd2_1'), 3],
  ['OrderEvents', pair('<MinSeparation>2</MinSeparation>'), sub('A', 'd1_1') + sub('B', 'd1_3'), 2],
  ['OrderEvents', pair('<MaxSeparation>1</MaxSeparation>'), sub('A', 'd1_1') + sub('B', 'd2_3'), 2],
  ['AvoidClashes', teachers, sub('A', 'd1_1') + sub('B', 'd1_2') + sub('C', 'd1_1'), 1],
  ['AvoidUnavailableTimes', teachers + '<TimeGroups><TimeGroup Reference="d1"/></TimeGroups>', sub('A', 'd1_1') + sub('B', 'd1_2'), 2],
  ['LimitIdleTimes', teachers + days() + span(0, 0), sub('A', 'd1_1', '1') + sub('B', 'd1_3') + sub('A', 'd2_2', '1'), 1],
  ['ClusterBusyTimes', teachers + days() + span(0, 1), sub('A', 'd1_1') + sub('B', 'd2_3'), 1],
  ['LimitBusyTimes', teachers + days() + span(2, 3), sub('A', 'd1_1') + sub('B', 'd2_3'), 1],
  ['LimitWorkload', teachers + span(0, 2), sub('A', 'd1_1') + sub('B', 'd2_3'), 1],
]

test.each(table)('50-A25 %s: cost by hand for Linear, Quadratic and Step, hard and soft (row %#)', (kind, inner, solution, deviation) => {
  expect(costs(rule(kind, inner), solution)).toBe(3 * deviation)
  expect(costs(rule(kind, inner, { cost_function: 'Quadratic' }), solution)).toBe(3 * deviation * deviation)
  expect(costs(rule(kind, inner, { cost_function: 'Step' }), solution)).toBe(3)
  const [kept] = readArchive(micro({ constraint: rule(kind, inner, { required: false }), solution })).solutions
  expect(kept ? evaluate(kept.instance, kept.sub_events) : null).toEqual({ hard: 0, soft: 3 * deviation })
})

test('50-A25 a full solution costs nothing; what a solution leaves out has no time; the cost that a report states is read', () => {
  const all = sub('A', 'd1_1', '', 'r1') + sub('B', 'd1_3') + sub('C', 'd2_1')
  expect(table.map(([kind]) => kind).filter((kind, n, kinds) => kinds.indexOf(kind) === n)).toHaveLength(16)
  expect(costs(rule('AssignTime', events('A', 'B', 'C')) + rule('AvoidClashes', teachers) + rule('AssignResource', events('A')
    + '<Role>Room</Role>'), all)).toBe(0)
  expect(costs(rule('AssignTime', events('A', 'B', 'C'), { weight: 1 }), sub('A', 'd1_1', '1'))).toBe(3)
  const more = '<Report><InfeasibilityValue>1</InfeasibilityValue><ObjectiveValue>27</ObjectiveValue></Report>'
  expect(readArchive(micro({ constraint: '', solution: all, more })).solutions[0]?.stated).toEqual({ hard: 1, soft: 27 })
})

test('50-A25 an unknown kind, cost function or reference refuses the file by name', () => {
  expect(() => costs(rule('AvoidRain', teachers), '')).toThrow('Constraint kind AvoidRainConstraint is unknown.')
  expect(() => costs(rule('AvoidClashes', teachers, { cost_function: 'Cubic' }), '')).toThrow('Cost function Cubic of x is unknown.')
  expect(() => costs(rule('AssignTime', events('Z')), '')).toThrow('Event Z is not in the instance.')
  expect(() => readArchive('<a><b></a>')).toThrow('b')
})
