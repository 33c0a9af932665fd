import { attend_flags, RuleBody } from '@campus/attendance/contract'
import { describe, expect, test } from 'vitest'
import { explain, judgeDay } from './judge.ts'
import type { Evidence, Expectation, PersonDay, Place, Point } from './types.ts'

const at = (clock: string) => Date.parse(`2026-11-16T${clock.length === 5 ? `${clock}:00` : clock}+08:00`)
const placeOf = (name: string): Place => ({ place_id: name, floor_id: `${name[0]}2`, building_id: name[0] ?? '', name })
const home = placeOf('E203')
const lab = placeOf('L101')
const point: Point = { device_id: '1', name: 'E203班牌', drained_to: at('23:00'), outages: [] }
const body = (more: Partial<RuleBody> = {}) => RuleBody.parse({ ...more })
const sections = [['08:00', '08:45'], ['08:55', '09:40'], ['10:00', '10:45'], ['10:55', '11:40']] as const

function lesson(nth: number, more: Partial<Expectation> = {}, rule: Partial<RuleBody> = {}): Expectation {
  const [begin, end] = sections[nth - 1] ?? sections[0]
  return {
    expect_kind: 1, occurrence_id: String(nth), begin: at(begin), end: at(end), title: `第${nth}节 物理`, place: home,
    rule: { ref: '1/1', body: body(rule) }, points: [point], exempt: null, correction: null, ...more,
  }
}
const seen = (
  clock: string, more: Partial<Evidence> = {}
): Evidence => ({
  ref: `d/${clock}`, at: at(clock), place: home, direction: 0, way: 1, source: 1, claim: 'seen', time_state: 0, occurrence_id: null, ...more,
})
const said = (claim: string, nth = 1, clock = '08:05', more: Partial<Evidence> = {}) => seen(
  clock, { ref: `r/${nth}/${claim}`, source: 2, claim, occurrence_id: String(nth), way: 4, ...more }
)
const leave = (begin: string, end: string, is_public = false) => ({ leave_id: '7', begin: at(begin), end: at(end), is_public, text: '病假' })
const gate = (clock: string, direction = 1) => ({ at: at(clock), direction, place_name: '校门' })
const dayOf = (more: Partial<PersonDay>): PersonDay => ({
  as_of: at('22:00'), expectations: [lesson(1)], evidence: [], gates: [], leaves: [], exempt_unverified_after: null, ...more,
})
const every = { expectations: [lesson(1), lesson(2), lesson(3), lesson(4)] }
const states = (more: Partial<PersonDay>) => judgeDay(dayOf(more)).map(one => one.state)
const first = (more: Partial<PersonDay>) => explain(dayOf(more), { expect_kind: 1, occurrence_id: '1' })
const ruled = (rule: Partial<RuleBody>, more: Partial<Expectation> = {}) => [lesson(1, more, rule)]
const silent = { points: [{ ...point, drained_to: at('08:00') }] }

describe('one lesson from 08:00 to 08:45', () => {
  const rows: [string, Partial<PersonDay>, number, object?][] = [
    ['too early to count', { evidence: [seen('07:44:59')] }, 4],
    ['the first second that counts', { evidence: [seen('07:45')] }, 1],
    ['on the second', { evidence: [seen('08:00')] }, 1, { late_min: 0 }],
    ['a second late is a minute begun', { evidence: [seen('08:00:01')] }, 2, { late_min: 1 }],
    ['within the grace', { expectations: ruled({ late_grace_min: 5 }), evidence: [seen('08:05')] }, 1],
    [
      'after the grace only what goes beyond it', { expectations: ruled({ late_grace_min: 5 }), evidence: [seen('08:07')] }, 2,
      { late_min: 2 }
    ],
    ['the last second that counts', { evidence: [seen('08:14:59')] }, 2, { late_min: 15 }],
    ['half-open: the end of the window is outside', { evidence: [seen('08:15')] }, 4],
    ['a clock in another room counts for nothing', { evidence: [seen('07:55', { place: lab })] }, 4, { flags: attend_flags.wrong_room }],
    ['same floor by rule', { expectations: ruled({ place_match: 2 }), evidence: [seen('07:55', { place: placeOf('E209') })] }, 1],
    [
      'same building by rule',
      { expectations: ruled({ place_match: 3 }), evidence: [seen('07:55', { place: { ...home, place_id: 'E900', floor_id: 'E9' } })] }, 1
    ],
    [
      'another floor where the floor is asked',
      { expectations: ruled({ place_match: 2 }), evidence: [seen('07:55', { place: { ...home, place_id: 'E900', floor_id: 'E9' } })] }, 4
    ],
    ['any point by rule', { expectations: ruled({ place_match: 4 }), evidence: [seen('07:55', { place: lab })] }, 1],
    ['a way that the rule does not take', { expectations: ruled({ identify_types: [2] }), evidence: [seen('07:55')] }, 4],
    ['a clock of a corrected time counts and says so', { evidence: [seen('07:55', { time_state: 1 })] }, 1, { flags: attend_flags.clock }],
    ['two devices: the earliest', { evidence: [seen('08:03', { ref: 'b' }), seen('07:58', { ref: 'a' })] }, 1, { event_ref: 'a' }],
    ['the window is not over', { as_of: at('08:14') }, 6],
    ['the window has not begun', { as_of: at('06:00') }, 6],
    ['exempt before everything seen', { expectations: [lesson(1, { exempt: '长期免考勤：伤病' })], evidence: [seen('08:09')] }, 9],
    ['no rule is not absence', { expectations: [lesson(1, { rule: null })] }, 9, { flags: attend_flags.no_rule }],
    [
      'a correction goes before all',
      {
        expectations: [lesson(1, { correction: { correction_id: '5', state: 7, late_min: 0, early_min: 0, text: '班主任补签' } })],
        evidence: [said('absent')],
      },
      7, { correction_id: '5' }
    ],
    ['roll-call present', { evidence: [said('present')] }, 1, { identify_type: 4 }],
    ['roll-call absent beats a device and says so', { evidence: [seen('07:55'), said('absent')] }, 4, { flags: attend_flags.conflict }],
    ['roll-call late has at least a minute', { evidence: [said('late', 1, '07:59')] }, 2, { late_min: 1 }],
    ['roll-call left', { evidence: [said('left', 1, '08:30')] }, 3, { early_min: 15 }],
    ['the later roll-call holds', { evidence: [said('absent', 1, '08:05'), said('present', 1, '08:20')] }, 1],
    ['fills: the device goes first', { expectations: ruled({ rollcall: 'fills' }), evidence: [seen('07:55'), said('absent')] }, 1],
    ['fills: where no device saw him', { expectations: ruled({ rollcall: 'fills' }), evidence: [said('present')] }, 1],
    ['roll-call that the rule does not use', { expectations: ruled({ rollcall: 'off' }), evidence: [said('present')] }, 4],
    [
      'entered by the teacher after an outage',
      { expectations: [lesson(1, silent)], evidence: [said('present', 1, '08:20', { source: 5, way: 7 })] }, 7, { flags: attend_flags.bulk }
    ],
    ['a leave over the whole lesson', { leaves: [leave('08:00', '12:00')] }, 5],
    ['a leave over half of it', { leaves: [leave('08:00', '08:23')] }, 5],
    ['sent away by the school', { leaves: [leave('08:00', '12:00', true)] }, 8],
    [
      'on leave and there: present, and said', { leaves: [leave('08:00', '12:00')], evidence: [seen('07:55')] }, 1,
      { flags: attend_flags.leave_present }
    ],
    ['a leave explains what the teacher saw', { leaves: [leave('08:00', '12:00')], evidence: [said('absent')] }, 5],
    ['a leave over the first ten minutes moves the window', { leaves: [leave('07:30', '08:10')], evidence: [seen('08:10')] }, 1],
    ['late against the moved begin', { leaves: [leave('07:30', '08:10')], evidence: [seen('08:13')] }, 2, { late_min: 3 }],
    ['a leave over the first ten minutes is not enough', { leaves: [leave('07:30', '08:10')] }, 4],
    [
      'a leave over the end: leaving then is not early',
      { leaves: [leave('08:30', '12:00')], evidence: [seen('07:55')], gates: [gate('07:30'), gate('08:32', 2)] }, 1
    ],
    ['an exit without leave is early', { evidence: [seen('07:55')], gates: [gate('07:30'), gate('08:32', 2)] }, 3, { early_min: 13 }],
    ['an exit within the grace', { expectations: ruled({ early_grace_min: 15 }), evidence: [seen('07:55')], gates: [gate('08:32', 2)] }, 1],
    [
      'late and early keeps both', { evidence: [seen('08:04')], gates: [gate('08:40', 2)] }, 2,
      { late_min: 4, early_min: 5, flags: attend_flags.late_and_early }
    ],
    ['a clock out is early', { evidence: [seen('07:55'), seen('08:20', { direction: 2 })] }, 3, { early_min: 25 }],
    ['out and back in is not', { evidence: [seen('07:55'), seen('08:20', { direction: 2 }), seen('08:24', { direction: 1 })] }, 1],
    [
      'a clock out that is asked and missing keeps the state', { expectations: ruled({ need_out: true }), evidence: [seen('07:55')] }, 1,
      { flags: attend_flags.no_out }
    ],
    [
      'a clock out that is asked and there', { expectations: ruled({ need_out: true }), evidence: [seen('07:55'), seen('08:46')] }, 1,
      { flags: 0, out_at: at('08:46') }
    ],
    ['in school, yet not here', { gates: [gate('07:21')] }, 4, { flags: attend_flags.in_school }],
    ['not in school', { gates: [gate('07:21'), gate('07:50', 2)] }, 4, { flags: attend_flags.not_in_school }],
    ['55-A6 a board that has not handed over', { expectations: [lesson(1, silent)] }, 10, { provisional: true }],
    ['a board that never spoke', { expectations: [lesson(1, { points: [{ ...point, drained_to: null }] })] }, 10, { provisional: true }],
    [
      'of two boards one is silent: it could have seen him',
      { expectations: [lesson(1, { points: [point, { ...point, drained_to: at('08:00') }] })] }, 10
    ],
    [
      'an outage over the whole window',
      { expectations: [lesson(1, { points: [{ ...point, outages: [{ begin: at('07:00'), end: at('09:00') }] }] })] }, 10,
      { provisional: false }
    ],
    [
      'an outage over a part of it',
      { expectations: [lesson(1, { points: [{ ...point, outages: [{ begin: at('07:00'), end: at('08:00') }] }] })] }, 4
    ],
    [
      'one of two was blind, the other saw',
      { expectations: [lesson(1, { points: [point, { ...point, outages: [{ begin: at('07:00'), end: at('09:00') }] }] })] }, 4
    ],
    ['a room without a device', { expectations: [lesson(1, { points: [] })] }, 10],
    ['a room without a device where the teacher looked', { expectations: [lesson(1, { points: [] })], evidence: [said('absent')] }, 4],
    [
      'unverified becomes 免考勤 where the school says so', { expectations: [lesson(1, silent)], exempt_unverified_after: 3_600_000 }, 9,
      { flags: attend_flags.unverified }
    ],
    ['a leave goes before a silent board', { expectations: [lesson(1, silent)], leaves: [leave('08:00', '09:00')] }, 5],
  ]
  test.each(rows)('%s', (_name, more, state, want = {}) => {
    expect(first(more)).toMatchObject({ state, ...want })
  })
})

test('a clock between two lessons counts for the nearer begin, and only for that one', () => {
  const two = { expectations: [lesson(1, {}, { chain_mode: 1, late_until_min: 45 }), lesson(2, {}, { chain_mode: 1 })] }
  expect(states({ ...two, evidence: [seen('08:44')] })).toEqual([4, 1])
  expect(states({ ...two, evidence: [seen('08:20')] })).toEqual([2, 4])
})

test('a clock slot and a lesson may be served by one clock', () => {
  const slot = lesson(1, { expect_kind: 2, occurrence_id: '77', title: '早到校' })
  expect(judgeDay(dayOf({
    expectations: [slot, lesson(1)], evidence: [seen('07:55')],
  })).map(one => [one.expect_kind, one.state])).toEqual([[1, 1], [2, 1]])
})

test('55-A11 one clock at 07:55 in the home room holds for the four lessons of the morning; an exit, another room or a long gap breaks it', () => {
  const morning = { ...every, evidence: [seen('07:55')] }
  const verdicts = judgeDay(dayOf(morning))
  expect(verdicts.map(one => [one.state, one.flags & attend_flags.carried])).toEqual([[1, 0], [1, 1], [1, 1], [1, 1]])
  expect(states({ ...morning, gates: [gate('09:00', 2)] })).toEqual([1, 3, 4, 4])
  const with_lab = { expectations: [lesson(1), lesson(2), lesson(3, { place: lab }), lesson(4)], evidence: [seen('07:55')] }
  expect(states(with_lab)).toEqual([1, 1, 4, 4])
  expect(states({ ...with_lab, evidence: [seen('07:55'), seen('09:58', { place: lab }), seen('10:53')] })).toEqual([1, 1, 1, 1])
  expect(states({ ...every, evidence: [seen('07:55'), seen('08:50', { place: lab })] })).toEqual([1, 4, 4, 4])
  expect(states({
    expectations: [1, 2, 3, 4].map(nth => lesson(nth, {}, { chain_gap_min: 10 })), evidence: [seen('07:55')],
  })).toEqual([1, 1, 4, 4])
  const mode = (chain_mode: number) => ({
    expectations: [lesson(1, {}, { chain_mode }), lesson(2, { place: lab }, { chain_mode }), lesson(3, {}, { chain_mode })],
    evidence: [seen('07:55')],
  })
  expect([1, 3, 4].map(chain_mode => states(mode(chain_mode)))).toEqual([[1, 4, 4], [1, 1, 1], [1, 4, 4]])
  expect(states({ ...morning, as_of: at('09:50') })).toEqual([1, 1, 6, 6])
})

test('55-A5 the order in which facts arrive changes nothing', () => {
  const whole: PersonDay = dayOf({
    ...every, evidence: [
      seen('07:55'), seen('08:50', { ref: 'x' }), said('present', 2, '09:00'), said('absent', 3, '10:10'), seen('10:56', { place: lab })
    ], gates: [gate('07:21'), gate('12:00', 2)], leaves: [leave('10:00', '10:20'), leave('10:30', '10:45')],
  })
  const wanted = JSON.stringify(judgeDay(whole))
  let seed = 900_001
  const shuffled = <T>(list: readonly T[]) => list.map(one => ({ one, by: (seed = (seed * 48_271) % 2_147_483_647) }))
    .toSorted((a, b) => a.by - b.by).map(({ one }) => one)
  for (let turn = 0; turn < 100; turn += 1) {
    const other = {
      ...whole, expectations: shuffled(whole.expectations), evidence: shuffled(whole.evidence), gates: shuffled(whole.gates),
      leaves: shuffled(whole.leaves),
    }
    expect(JSON.stringify(judgeDay(other))).toBe(wanted)
  }
})

test('why, in one sentence, with the whole ladder', () => {
  const outage = { points: [{ ...point, drained_to: at('07:50'), outages: [{ begin: at('07:02'), end: at('08:31') }] }] }
  const verdict = first({ expectations: [lesson(1, outage)], gates: [gate('07:21')] })
  expect(verdict.sentence).toBe('第1节 物理(E203)未见打卡；校门07:21进校；E203班牌07:02–08:31离线 → 待核实')
  expect(verdict.ladder.map(rung => [rung.step, rung.hit])).toEqual([
    ['correction', false], ['exempt', false], ['rollcall', false], ['event', false], ['carry', false], ['leave', false], ['open', false],
    ['watermark', true]
  ])
  expect(first({ gates: [gate('07:21')] }).sentence).toBe('第1节 物理(E203)未见打卡；校门07:21进校 → 缺勤(旷课)')
  expect(first({ evidence: [seen('08:04')] }).sentence).toBe('第1节 物理(E203)08:04E203打卡；迟到4分钟 → 迟到')
})
