import { judgePass } from '@kit/terminal-protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { Ban, Calendar, DeptRule, Door, Facts, Period, Rule, Subject, Temporary, UserRule } from './facts.ts'
import { Compiler } from './windows.ts'

const day_ms = 86_400_000
const at = (text: string) => Date.parse(`${text}:00+08:00`)
const always = { from: 0, to: Infinity }
const week = [true, true, true, true, true, false, false]
const gate: Door = { place_id: '20', path: ['20', '1'], is_perimeter: true }
const lab: Door = { place_id: '30', path: ['30', '1'], is_perimeter: false }
const pupil: Subject = { user_id: '7', user_name: '张三', person_kind: 1, live: [always], levels: [['d103'], ['d102', 'g13'], ['d101'], ['d100']], grade: '13', study_method: '1', by_bus: false, tag_ids: [], wards: [] }
/** 2026-09-26 is a make-up Saturday that follows Friday; the holiday begins on Thursday 1 October. */
const calendar: Calendar = (_grade, date) => {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
  if (date === '2026-09-26') return { is_teaching: true, weekday: 5 }
  if (date >= '2026-10-01' && date <= '2026-10-07') return { is_teaching: false, weekday }
  return { is_teaching: weekday <= 5, weekday }
}
const period = (direction: 1 | 2, begin: number, end: number, match = 1): Period => ({ direction, day_match: match, week_flags: match === 1 || match === 6 ? week : null, begin_min: begin, end_min: end })
const ruleOf = (rule_id: string, periods: readonly Period[], more: Partial<Rule> = {}): Rule => ({ rule_id, rule_name: `规则${rule_id}`, enabled: true, versions: [{ ...always, version: 1, periods, dates: [] }], ...more })
const day_rule = ruleOf('1', [period(1, 420, 480), period(2, 1020, 1140)])
const closed_rule = ruleOf('2', [])
const open_rule = ruleOf('3', [period(1, 0, 1440, 5), period(2, 0, 1440, 5)])
const places = { in_place_ids: ['20'], out_place_ids: ['20'] }
const deptRule = (id: string, level: string, rule_id: string, more: Partial<DeptRule> = {}): DeptRule => ({ ...always, id, scene: 1, level, rule_id, study_method: null, by_bus: null, tag_id: null, ...places, ...more })
const userRule = (id: string, rule_id: string, mode: number, more: Partial<UserRule> = {}): UserRule => ({ ...always, id, scene: 1, user_id: '7', mode, rule_id, ...places, ...more })
const temporary = (effect: 'allow' | 'deny', more: Partial<Temporary> = {}): Temporary => ({ from: at('2026-09-21T10:00'), to: at('2026-09-21T18:00'), id: '1', effect, directions: [1, 2], user_ids: ['7'], levels: [], place_ids: [], max_times: null, used: 0, reason: '外出', source: 1, ...more })
const ban = (more: Partial<Ban> = {}): Ban => ({ ...always, id: '1', user_id: '7', directions: [1], place_id: null, reason: '违纪', ...more })
type Given = { dept_rules?: DeptRule[]; user_rules?: UserRule[]; own?: Temporary[]; levels?: Record<string, Temporary[]>; bans?: Ban[]; pickup?: string[]; rules?: Rule[]; evacuated?: boolean }
function factsOf({ dept_rules = [], user_rules = [], own = [], levels = {}, bans = [], pickup = [], rules = [day_rule, closed_rule, open_rule], evacuated = false }: Given): Facts {
  return {
    calendar, rules: new Map(rules.map(rule => [rule.rule_id, rule])), dept_rules, user_rules: new Map([['7', user_rules]]),
    temporaries: new Map<string, readonly Temporary[]>([['7', own], ...Object.entries(levels)]), bans: new Map([['7', bans]]), pickup_grades: new Set(pickup),
    evacuations: evacuated ? [{ from: noon - 60_000, to: noon + 60_000 }] : [],
  }
}

const class_rule = deptRule('c', 'd103', '1')
const school_open = deptRule('s', 'd100', '3')
const noon = at('2026-09-21T12:00')
type Row = [name: string, given: Given, direction: 1 | 2 | 3, at: number, result: number, rung: number]
const rows: Row[] = [
  ['no rule: closed', {}, 1, noon, 2, 8],
  ['in time by the class rule', { dept_rules: [class_rule] }, 1, at('2026-09-21T07:00'), 1, 7],
  ['the end of a period is over at its minute', { dept_rules: [class_rule] }, 1, at('2026-09-21T08:00'), 3, 7],
  ['the last minute of a period', { dept_rules: [class_rule] }, 1, at('2026-09-21T07:59'), 1, 7],
  ['out on a teaching day outside the times: no leave', { dept_rules: [class_rule] }, 2, at('2026-09-21T16:05'), 4, 7],
  ['out on a Sunday: not now', { dept_rules: [class_rule] }, 2, at('2026-09-20T16:05'), 3, 7],
  ['out in time', { dept_rules: [class_rule] }, 2, at('2026-09-21T17:30'), 1, 7],
  ['a make-up Saturday is a teaching day', { dept_rules: [class_rule] }, 1, at('2026-09-26T07:30'), 1, 7],
  ['another Saturday is none', { dept_rules: [class_rule] }, 1, at('2026-09-19T07:30'), 3, 7],
  ['the class beats the school', { dept_rules: [deptRule('c', 'd103', '2'), school_open] }, 1, noon, 3, 7],
  ['the class beats the grade', { dept_rules: [deptRule('c', 'd103', '2'), deptRule('g', 'd102', '3')] }, 1, noon, 3, 7],
  ['the grade beats the stage', { dept_rules: [deptRule('g', 'd102', '2'), deptRule('t', 'd101', '3')] }, 1, noon, 3, 7],
  ['a fixed grade is as near as its department', { dept_rules: [deptRule('g', 'g13', '2'), deptRule('t', 'd101', '3')] }, 1, noon, 3, 7],
  ['the school for who has nothing nearer', { dept_rules: [school_open] }, 1, noon, 1, 7],
  ['another class is not his', { dept_rules: [deptRule('o', 'd999', '3')] }, 1, noon, 2, 8],
  ['boarders alone: not he', { dept_rules: [deptRule('b', 'd103', '3', { study_method: '2' })] }, 1, noon, 2, 8],
  ['day pupils: he', { dept_rules: [deptRule('b', 'd103', '3', { study_method: '1' })] }, 1, noon, 1, 7],
  ['more filters beat fewer', { dept_rules: [deptRule('a', 'd103', '3', { study_method: '1' }), deptRule('b', 'd103', '2')] }, 1, noon, 1, 7],
  ['the bus rule is not for who walks', { dept_rules: [deptRule('b', 'd103', '3', { by_bus: true }), deptRule('a', 'd103', '2')] }, 1, noon, 3, 7],
  ['a tag he does not have', { dept_rules: [deptRule('b', 'd103', '3', { tag_id: '5' })] }, 1, noon, 2, 8],
  ['a rule of another scene', { dept_rules: [deptRule('b', 'd103', '3', { scene: 2 })] }, 1, noon, 2, 8],
  ['a rule that is switched off', { dept_rules: [school_open], rules: [{ ...open_rule, enabled: false }] }, 1, noon, 2, 8],
  ['an assignment that is over', { dept_rules: [{ ...school_open, to: at('2026-09-21T12:00') }] }, 1, noon, 2, 8],
  ['an assignment that begins now', { dept_rules: [{ ...school_open, from: noon }] }, 1, noon, 1, 7],
  ['a door that is not listed', { dept_rules: [{ ...school_open, in_place_ids: ['30'] }] }, 1, noon, 2, 7],
  ['a listed place means the doors below it', { dept_rules: [{ ...school_open, in_place_ids: ['1'] }] }, 1, noon, 1, 7],
  ['in is listed, out is not', { dept_rules: [{ ...school_open, out_place_ids: [] }] }, 2, noon, 2, 7],
  ['both ways: in is enough', { dept_rules: [{ ...school_open, out_place_ids: [] }] }, 3, noon, 1, 7],
  ['both ways: out is enough', { dept_rules: [{ ...school_open, in_place_ids: [] }] }, 3, noon, 1, 7],
  ['his own rule replaces the class rule', { dept_rules: [school_open], user_rules: [userRule('u', '2', 1)] }, 1, noon, 3, 6],
  ['his own rule opens where the class is closed', { dept_rules: [deptRule('c', 'd103', '2')], user_rules: [userRule('u', '3', 1)] }, 1, noon, 1, 6],
  ['his own rule of other doors replaces wholly', { dept_rules: [school_open], user_rules: [userRule('u', '3', 1, { in_place_ids: ['30'] })] }, 1, noon, 2, 6],
  ['his own rule adds', { dept_rules: [deptRule('c', 'd103', '2')], user_rules: [userRule('u', '3', 2)] }, 1, noon, 1, 7],
  ['what adds does not take away', { dept_rules: [school_open], user_rules: [userRule('u', '2', 2)] }, 1, noon, 1, 7],
  ['a replacement that is over', { dept_rules: [school_open], user_rules: [userRule('u', '2', 1, { to: noon })] }, 1, noon, 1, 7],
  ['temporary right', { dept_rules: [class_rule], own: [temporary('allow')] }, 2, noon, 1, 4],
  ['temporary right before its time', { dept_rules: [class_rule], own: [temporary('allow')] }, 2, at('2026-09-21T09:59'), 4, 7],
  ['temporary right after its time', { dept_rules: [class_rule], own: [temporary('allow', { to: noon })] }, 2, noon, 4, 7],
  ['temporary right for in alone', { dept_rules: [class_rule], own: [temporary('allow', { directions: [1] })] }, 2, noon, 4, 7],
  ['temporary right for another door', { dept_rules: [class_rule], own: [temporary('allow', { place_ids: ['30'] })] }, 2, noon, 4, 7],
  ['a right once, unused', { own: [temporary('allow', { max_times: 1 })] }, 2, noon, 1, 4],
  ['a right once, used', { own: [temporary('allow', { max_times: 1, used: 1 })] }, 2, noon, 11, 8],
  ['a used right takes nothing that stands', { dept_rules: [school_open], own: [temporary('allow', { max_times: 1, used: 1 })] }, 2, noon, 1, 7],
  ['temporary denial', { dept_rules: [school_open], own: [temporary('deny')] }, 1, noon, 2, 3],
  ['his denial beats his right', { own: [temporary('allow'), temporary('deny')] }, 1, noon, 2, 3],
  ['a personal denial beats leave', { own: [temporary('allow', { source: 2 }), temporary('deny')] }, 2, noon, 2, 3],
  ['leave beats the closing of the school', { own: [temporary('allow', { source: 2 })], levels: { d100: [temporary('deny')] } }, 2, noon, 1, 4],
  ['the closing of the school', { dept_rules: [school_open], levels: { d100: [temporary('deny', { reason: '封闭管理' })] } }, 1, noon, 2, 5],
  ['the nearer department decides', { levels: { d103: [temporary('allow')], d100: [temporary('deny')] } }, 1, noon, 1, 5],
  ['the nearer department denies', { dept_rules: [school_open], levels: { d103: [temporary('deny')], d100: [temporary('allow')] } }, 1, noon, 2, 5],
  ['at one department the denial', { levels: { d103: [temporary('allow'), temporary('deny')] } }, 1, noon, 2, 5],
  ['a department right opens', { levels: { d102: [temporary('allow')] } }, 2, noon, 1, 5],
  ['a used department right does not', { levels: { d102: [temporary('allow', { max_times: 1, used: 1 })] } }, 2, noon, 2, 8],
  ['a ban', { dept_rules: [school_open], bans: [ban()] }, 1, noon, 13, 2],
  ['a ban of in lets out', { dept_rules: [school_open], bans: [ban()] }, 2, noon, 1, 7],
  ['a ban beats a temporary right', { own: [temporary('allow')], bans: [ban()] }, 1, noon, 13, 2],
  ['a ban of another place', { dept_rules: [school_open], bans: [ban({ place_id: '30' })] }, 1, noon, 1, 7],
  ['a ban of the place above', { dept_rules: [school_open], bans: [ban({ place_id: '1' })] }, 1, noon, 13, 2],
  ['a ban that is over', { dept_rules: [school_open], bans: [ban({ to: noon })] }, 1, noon, 1, 7],
  ['a pick-up grade leaves with a guardian', { dept_rules: [school_open], pickup: ['13'] }, 2, noon, 10, 7],
  ['a pick-up grade comes by itself', { dept_rules: [school_open], pickup: ['13'] }, 1, noon, 1, 7],
  ['a released child', { dept_rules: [school_open], pickup: ['13'], own: [temporary('allow', { source: 3, directions: [2], max_times: 1 })] }, 2, noon, 1, 4],
  ['an evacuation opens every way out, to who has no rule', { evacuated: true }, 2, noon, 1, 0],
  ['an evacuation beats a personal denial', { evacuated: true, dept_rules: [class_rule], own: [temporary('deny')] }, 2, noon, 1, 0],
  ['an evacuation lets a pick-up grade out alone', { evacuated: true, dept_rules: [school_open], pickup: ['13'] }, 2, noon, 1, 0],
  ['an evacuation opens a door for both ways', { evacuated: true }, 3, noon, 1, 0],
  ['an evacuation lets nobody in', { evacuated: true }, 1, noon, 2, 8],
  ['an evacuation that is over opens nothing', { evacuated: true }, 2, noon + 60_000, 2, 8],
  ['another grade is not picked up', { dept_rules: [school_open], pickup: ['11'] }, 2, noon, 1, 7],
]

describe('35-A8 the ladder', () => {
  test.each(rows)('%s', (...row) => {
    const [, given, direction, when, result, rung] = row
    const said = decide(factsOf(given), pupil, gate, direction, when)
    expect([said.result, said.rung, said.allowed]).toEqual([result, rung, result === 1])
  })

  test('who is not here passes nowhere, whatever else is said', () => {
    const left = { ...pupil, live: [{ from: 0, to: noon }] }
    const facts = factsOf({ dept_rules: [school_open], own: [temporary('allow')] })
    expect([decide(facts, left, gate, 2, noon - 1).rung, decide(facts, left, gate, 2, noon).rung]).toEqual([4, 1])
  })

  test('a parent has what is said of his child, in the dormitory only of one who boards', () => {
    const dorm: Door = { place_id: '40', path: ['40', '1'], is_perimeter: false }
    const facts = factsOf({ dept_rules: [deptRule('p', 'd103', '3', { scene: 3 }), deptRule('d', 'd100', '3', { scene: 4, in_place_ids: ['40'], out_place_ids: ['40'] })] })
    const parent = (child: Subject): Subject => ({ ...pupil, user_id: '8', person_kind: 3, levels: [], wards: [child] })
    const of = (child: Subject) => [gate, dorm, lab].map(door => decide(facts, parent(child), door, 1, noon).allowed)
    expect([of(pupil), of({ ...pupil, study_method: '2' })]).toEqual([[true, false, false], [true, true, false]])
  })

  test('35-A3 返校日 and 放假日 follow the calendar, and a night runs on past midnight', () => {
    const boarding = ruleOf('4', [period(1, 960, 1230, 2), period(2, 990, 1140, 3), period(1, 1410, 1800, 4)])
    const facts = factsOf({ rules: [boarding], dept_rules: [deptRule('c', 'd103', '4')] })
    const dates = Array.from({ length: 14 }, (_, n) => new Date(Date.parse('2026-09-25') + n * day_ms).toISOString().slice(0, 10))
    const open = (way: 1 | 2, clock: string) => dates.filter(date => decide(facts, pupil, gate, way, at(`${date}T${clock}`)).allowed)
    expect(open(1, '17:00')).toEqual(['2026-09-27', '2026-10-07'])
    expect(open(2, '17:00')).toEqual(['2026-09-26', '2026-09-30'])
    expect([open(1, '05:59').at(0), open(1, '06:00')]).toEqual(['2026-09-28', []])
  })
})

describe('35-A1 35-A2 what a terminal decides by itself is what the school decides', () => {
  const now = at('2026-09-21T09:30')
  const horizon = { from: at('2026-09-01T00:00'), to: at('2026-11-30T00:00') }
  const span = fc.tuple(fc.integer({ min: -20, max: 80 }), fc.integer({ min: 1, max: 60 * 24 * 60 })).map(([day, length]) => ({ from: now + day * 12 * 3_600_000, to: now + day * 12 * 3_600_000 + length * 60_000 }))
  const maybe = fc.oneof(fc.constant(always), span)
  const anyPeriod = fc.record({ direction: fc.constantFrom(1 as const, 2 as const), day_match: fc.integer({ min: 1, max: 6 }), week_flags: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), begin_min: fc.integer({ min: 0, max: 1439 }), length: fc.integer({ min: 1, max: 1440 }) })
    .map(({ length, ...rest }) => ({ ...rest, end_min: rest.begin_min + length }))
  const anyVersions = fc.tuple(fc.array(anyPeriod, { maxLength: 4 }), fc.array(anyPeriod, { maxLength: 3 }), fc.integer({ min: -9, max: 40 }), fc.boolean()).map(([first, second, day, closed]) => {
    const turn = now + day * 7 * 3_600_000
    const dates = [{ date: '2026-09-24', closed, direction: null, begin_min: 600, end_min: 1500 }]
    return [{ from: 0, to: turn, version: 1, periods: first, dates }, { from: turn, to: Infinity, version: 2, periods: second, dates: [] }]
  })
  const anyPlaces = fc.record({ in_place_ids: fc.subarray(['1', '20', '30']), out_place_ids: fc.subarray(['1', '20', '30']) })
  const anyAssigned = fc.record({ span: maybe, rule_id: fc.constantFrom('1', '2'), places: anyPlaces }).map(one => ({ ...one.span, rule_id: one.rule_id, ...one.places, scene: 1 }))
  const anyTemporary = fc.record({ span, effect: fc.constantFrom('allow' as const, 'deny' as const), directions: fc.constantFrom([1] as const, [2] as const, [1, 2] as const), place_ids: fc.subarray(['20', '30']) })
    .map(({ span: when, ...rest }) => ({ ...temporary(rest.effect), ...rest, ...when }))
  const school = fc.record({
    versions: fc.tuple(anyVersions, anyVersions),
    dept_rules: fc.array(fc.tuple(anyAssigned, fc.constantFrom('d103', 'd102', 'g13', 'd100'), fc.constantFrom(null, '1', '2')), { maxLength: 4 }),
    user_rules: fc.array(fc.tuple(anyAssigned, fc.constantFrom(1, 2)), { maxLength: 2 }),
    own: fc.array(anyTemporary, { maxLength: 3 }), d103: fc.array(anyTemporary, { maxLength: 2 }), d100: fc.array(anyTemporary, { maxLength: 2 }),
    bans: fc.array(span.map(one => ban(one)), { maxLength: 1 }), pickup: fc.subarray(['13']), live: maybe,
    moments: fc.array(fc.integer({ min: 0, max: 60 * 24 * 60 }), { minLength: 40, maxLength: 40 }),
  })

  test('over random schools, doors, directions and minutes', () => {
    fc.assert(fc.property(school, given => {
      const rules = given.versions.map((versions, n) => ruleOf(String(n + 1), [], { versions }))
      const facts = factsOf({
        rules, dept_rules: given.dept_rules.map(([one, level, study_method], n) => deptRule(String(n), level, one.rule_id, { ...one, study_method })),
        user_rules: given.user_rules.map(([one, mode], n) => userRule(String(n), one.rule_id, mode, one)), own: given.own, levels: { d103: given.d103, d100: given.d100 }, bans: given.bans, pickup: given.pickup,
      })
      const subject = { ...pupil, live: [given.live] }
      const compiler = new Compiler(facts, horizon, now)
      const ways = [gate, lab].flatMap(door => ([1, 2] as const).map(direction => ({ door, direction })))
      for (const { door, direction } of ways) {
        const { windows, until } = compiler.compile(subject, door, direction)
        const permissions = windows.map((window, n) => ({ id: String(n), door: 1, ...window }))
        for (const when of given.moments.map(minute => now + minute * 60_000).filter(moment => moment < until)) {
          const offline = permissions.length > 0 && judgePass({ permissions, door: undefined, at: new Date(when), verify: 2 }).result === 1
          expect([new Date(when).toISOString(), offline]).toEqual([new Date(when).toISOString(), decide(facts, subject, door, direction, when).allowed])
        }
      }
    }), { numRuns: 300 })
  })

  test('people of one case have the very same windows, and a day later nothing has changed', () => {
    const facts = factsOf({ dept_rules: [class_rule] })
    const compiler = new Compiler(facts, horizon, now)
    const first = compiler.compile(pupil, gate, 2)
    expect(compiler.compile({ ...pupil, user_id: '9', user_name: '李四' }, gate, 2)).toEqual(first)
    expect(new Compiler(facts, horizon, now + day_ms).compile(pupil, gate, 2)).toEqual(first)
    expect(first.windows.length).toBeLessThan(8)
  })
})
