import type { PupilChange } from '@campus/people/contract'
import { describe, expect, test } from 'vitest'
import { homeOf, judge } from './judge.ts'
import type { Court } from './judge.ts'
import type { ClassFacts, SubjectFacts } from './subject.facts.ts'

const today = '2026-11-20'

function pupil(more: Partial<SubjectFacts> = {}): SubjectFacts {
  const row = { id: '1', valid_from: '2026-09-01', valid_to: null }
  return { user_id: '7', user_name: '林小雨', student_no: 'S7', classes: [{ ...row, dept_id: '11' }], states: [{ ...row, state: '01' }], pending: null, ...more }
}

function room(dept_id: string, more: Partial<ClassFacts> = {}): ClassFacts {
  return { dept_id, dept_type: 4, tree: 'student', stage: '1', enrol_year: 2025, capacity: null, is_open: true, peak: 0, ...more }
}

function court(facts: SubjectFacts, rooms: readonly ClassFacts[], may: Partial<Court['may']> = {}): Court {
  return { today, facts: [facts], classes: new Map(rooms.map(one => [one.dept_id, one])), may: { overfill: false, backdate: false, ...may } }
}

function move(more: { on?: string; to?: string; from?: string; reason?: string } = {}): PupilChange {
  const { on = today, to = '12', from = '11', reason = '' } = more
  return { kind: 'CLASS', subjects: [{ user_id: '7', from_dept_id: from, to_dept_id: to }], effective_on: on, reason }
}

function leave(kind: 'OUT' | 'QUIT' | 'EXPEL' = 'OUT', on = today): PupilChange {
  return { kind, subjects: [{ user_id: '7' }], effective_on: on, reason: '迁居' }
}

const codesOf = (draft: PupilChange, seen: Court) => judge(draft, seen).blocks.map(block => block.failure.id.replace('people.', ''))
const plain = [room('11'), room('12')]
const departed = { classes: [{ id: '1', dept_id: '11', valid_from: '2026-09-01', valid_to: '2026-10-01' }], states: [{ id: '1', state: '01', valid_from: '2026-09-01', valid_to: '2026-10-01' }] }
const suspended = { states: [{ id: '1', state: '02', valid_from: '2026-09-01', valid_to: null }] }

describe('what forbids a command', () => {
  const cases: [string, PupilChange, Court, string[]][] = [
    ['nothing', move(), court(pupil(), plain), []],
    ['a command still to come', move(), court(pupil({ pending: '5' }), plain), ['futureChange']],
    ['another class than was shown', move({ from: '13' }), court(pupil(), plain), ['memberMoved']],
    ['somebody who is gone', leave(), court(pupil(departed), plain), ['memberMoved']],
    ['the class he is in', move({ to: '11' }), court(pupil(), plain), ['sameClass']],
    ['a day before the class began', move({ on: '2026-10-25' }), court(pupil({ classes: [{ id: '2', dept_id: '11', valid_from: '2026-11-01', valid_to: null }] }), plain), ['laterChange']],
    ['a day before the state began', leave('OUT', '2026-10-25'), court(pupil({ states: [{ id: '2', state: '01', valid_from: '2026-11-01', valid_to: null }] }), plain), ['laterChange']],
    ['the thirty-first day back', move({ on: '2026-10-20' }), court(pupil(), plain), ['backdateTooFar']],
    ['the thirtieth day back: nothing', move({ on: '2026-10-21' }), court(pupil(), plain), []],
    ['far back with the permission: no reason', move({ on: '2026-10-01' }), court(pupil(), plain, { backdate: true }), ['reasonNeeded']],
    ['far back with permission and reason: nothing', move({ on: '2026-10-01', reason: '补录' }), court(pupil(), plain, { backdate: true }), []],
    ['the hundred and eightieth day ahead: nothing', move({ on: '2027-05-19' }), court(pupil(), plain), []],
    ['the day after that', move({ on: '2027-05-20' }), court(pupil(), plain), ['futureTooFar']],
    ['no class', move(), court(pupil(), [room('11'), room('12', { dept_type: 3 })]), ['classNeeded']],
    ['a closed class', move(), court(pupil(), [room('11'), room('12', { is_open: false })]), ['classClosed']],
    ['a full class', move(), court(pupil(), [room('11'), room('12', { capacity: 40, peak: 40 })]), ['classFull']],
    ['the last seat: nothing', move(), court(pupil(), [room('11'), room('12', { capacity: 40, peak: 39 })]), []],
    ['a full class with the permission: no reason', move(), court(pupil(), [room('11'), room('12', { capacity: 40, peak: 40 })], { overfill: true }), ['reasonNeeded']],
    ['quitting in primary school', leave('QUIT'), court(pupil(), [room('11')]), ['compulsoryStage']],
    ['expulsion in junior high school', leave('EXPEL'), court(pupil(), [room('11', { stage: '2' })]), ['compulsoryStage']],
    ['quitting in senior high school: nothing', leave('QUIT'), court(pupil(), [room('11', { stage: '3' })]), []],
    ['leaving while suspended: nothing', leave(), court(pupil(suspended), plain), []],
  ]
  test.each(cases)('%s', (_name, draft, seen, expected) => {
    expect(codesOf(draft, seen)).toEqual(expected)
  })
})

describe('how people stand', () => {
  test('before and after a move, a suspended pupil as suspended', () => {
    const { subjects } = judge(move(), court(pupil(suspended), plain))
    expect(subjects).toMatchObject([{ before: { dept_id: '11', state: '02' }, after: { dept_id: '12', state: '02' }, warnings: [] }])
  })
  test('before and after a departure', () => {
    expect(judge(leave(), court(pupil(), plain)).subjects).toMatchObject([{ before: { dept_id: '11', state: '01' }, after: { dept_id: null, state: null } }])
  })
  test('with a warning where a class becomes too full', () => {
    const seen = court(pupil(), [room('11'), room('12', { capacity: 40, peak: 40 })], { overfill: true })
    expect(judge(move({ reason: '临时并班' }), seen)).toMatchObject({ subjects: [{ warnings: ['班级人数将超过上限'] }], blocks: [] })
  })
  test('with a warning where the class is of another year', () => {
    const seen = court(pupil(), [room('11'), room('12', { enrol_year: 2024 })])
    expect(judge(move(), seen)).toMatchObject({ subjects: [{ warnings: ['跨年级调班，请确认不是留级或跳级'] }], blocks: [] })
  })
  test('who is gone belongs where he was last', () => {
    expect([homeOf(pupil(departed), today), homeOf(pupil({ classes: [] }), today)]).toEqual(['11', null])
  })
})
