import { weekCount, weekOf } from '@campus/calendar/contract'
import { expect, test } from 'vitest'
import { judgeNational, nationalSpecials } from './national.ts'
import { mergeSpans, resolveDay, unset_follow } from './resolve.ts'
import type { SpecialFact, World } from './resolve.ts'
import { countedDays } from './workdays.ts'

const term_1 = { id: 20251, term: '1', begin_date: '2025-09-01', end_date: '2026-01-30', odd_first: true }
const term_2 = { id: 20252, term: '2', begin_date: '2026-03-02', end_date: '2026-07-10', odd_first: true }
const plain: SpecialFact = {
  begin_date: '', end_date: '', kind: 7, name: '校定', scope_kind: 'school', scope_codes: [], follows_date: null, follows_weekday: null, follows_week_kind: null,
  closed_from: null, closed_to: null, bell_id: null, source: 'school',
}
const on = (date: string, more: Partial<SpecialFact> = {}): SpecialFact => ({ ...plain, begin_date: date, end_date: date, ...more })
const uses = [1, 2, 3, 4, 5].map(weekday => ({ bell_id: 'summer', grade: '31', weekday, valid_from: '2025-08-01', valid_to: '2025-10-01' })).concat([1, 2, 3, 4, 5].map(weekday => ({ bell_id: 'winter', grade: '31', weekday, valid_from: '2025-10-01', valid_to: '2026-05-01' })))
const world = (...specials: SpecialFact[]): World => ({ terms: [term_1, term_2], specials, uses })
const saturday = '2025-10-11'
const make_up = (more: Partial<SpecialFact>) => on(saturday, { kind: 3, name: '调休上班', ...more })

test.each([
  ['2025-09-01', 1], ['2025-09-07', 1], ['2025-09-08', 2], ['2026-01-30', 22], ['2025-10-12', 6],
])('the week of %s is %i: weeks begin on Monday, Sunday ends one', (day, week) => {
  expect(weekOf(day, term_1.begin_date)).toBe(week)
})

test('weeks of a term that begins in the middle of one are counted from its Monday', () => {
  expect([weekOf('2026-09-06', '2026-09-03'), weekOf('2026-09-07', '2026-09-03'), weekCount(term_1), weekCount(term_2)]).toEqual([1, 2, 22, 19])
})

test.each<[string, string, SpecialFact[], string, number, boolean]>([
  ['an ordinary Monday', '2025-09-08', [], '31', 8, true],
  ['a weekend', '2025-09-13', [], '31', 4, false],
  ['summer before the first term', '2025-08-20', [], '31', 6, false],
  ['winter between the terms', '2026-02-05', [], '31', 5, false],
  ['summer after the last term', '2026-07-20', [], '31', 6, false],
  ['a national holiday', '2025-10-01', [on('2025-10-01', { kind: 1, source: 'national' })], '31', 1, false],
  ['what the school sets goes before the national calendar', '2025-10-01', [on('2025-10-01', { kind: 1, source: 'national' }), on('2025-10-01', { kind: 8 })], '31', 8, true],
  ['a stage goes before the school', '2025-10-13', [on('2025-10-13', { kind: 8 }), on('2025-10-13', { kind: 7, scope_kind: 'stage', scope_codes: ['3'] })], '31', 7, false],
  ['a grade goes before its stage', '2025-10-13', [on('2025-10-13', { kind: 8, scope_kind: 'grade', scope_codes: ['31'] }), on('2025-10-13', { scope_kind: 'stage', scope_codes: ['3'] })], '31', 8, true],
  ['an exam lies over a teaching day', '2025-11-12', [on('2025-11-12', { kind: 9 })], '31', 9, true],
  ['an activity makes no teaching day of a Saturday', '2025-10-25', [on('2025-10-25', { kind: 10 })], '31', 4, false],
  ['nothing is made up outside a term', '2026-02-14', [on('2026-02-14', { kind: 3, source: 'national' })], '31', 5, false],
  ['what holds for a stage does not hold for the whole unit', '2025-10-13', [on('2025-10-13', { scope_kind: 'stage', scope_codes: ['3'] })], '00', 8, true],
])('50 §3.1 rule 3: %s', (...[, date, specials, grade, day_kind, is_school_day]) => {
  expect(resolveDay(world(...specials), date, grade)).toMatchObject({ day_kind, is_school_day })
})

test('50-A4 六一 frees the primary school alone; a closure over 高考 takes the minutes of the seniors only', () => {
  const days = world(on('2026-06-01', { scope_kind: 'stage', scope_codes: ['1'] }), on('2026-06-08', { kind: 9, scope_kind: 'stage', scope_codes: ['3'], closed_from: 0, closed_to: 1440 }))
  expect(['11', '16', '21', '31'].map(grade => resolveDay(days, '2026-06-01', grade).is_school_day)).toEqual([false, false, true, true])
  expect(['16', '23', '31', '33'].map(grade => resolveDay(days, '2026-06-08', grade).closed)).toEqual([[], [], [[0, 1440]], [[0, 1440]]])
  expect(resolveDay(days, '2026-06-08', '33')).toMatchObject({ day_kind: 9, is_school_day: true })
})

test('50-A2 a make-up day that follows a date takes its weekday and the parity of its week, and its bell', () => {
  expect(resolveDay(world(make_up({ follows_date: '2025-10-08' })), saturday, '31')).toMatchObject({ day_kind: 3, is_school_day: true, plan_date: '2025-10-08', plan_weekday: 3, plan_week_no: 6, plan_week_kind: 2, bell_id: 'winter' })
  expect(resolveDay(world(make_up({ follows_date: '2025-09-29' })), saturday, '31')).toMatchObject({ plan_weekday: 1, plan_week_no: 5, plan_week_kind: 1 })
})

test('a make-up day that follows a weekday keeps the parity of its own week, unless one is said; not chosen yet it says so', () => {
  expect(resolveDay(world(make_up({ follows_weekday: 3 })), saturday, '31')).toMatchObject({ plan_date: null, plan_weekday: 3, plan_week_no: 6, plan_week_kind: 2 })
  expect(resolveDay(world(make_up({ follows_weekday: 3, follows_week_kind: 1 })), saturday, '31')).toMatchObject({ plan_week_kind: 1 })
  expect(resolveDay(world(make_up({})), saturday, '31')).toMatchObject({ is_school_day: true, plan_weekday: null, label: `调休上班、${unset_follow}` })
})

test('50-A5 the bell of a date changes with the season; a special brings its own', () => {
  expect(['2025-09-30', '2025-10-09'].map(date => resolveDay(world(), date, '31').bell_id)).toEqual(['summer', 'winter'])
  expect(resolveDay(world(on('2025-10-09', { kind: 9, bell_id: 'exam' })), '2025-10-09', '31').bell_id).toBe('exam')
  expect(resolveDay(world(), '2025-10-11', '31').bell_id).toBe(null)
})

test('closed minutes are merged, those that touch as one', () => {
  expect(mergeSpans([[600, 660], [480, 540], [540, 560]])).toEqual([[480, 560], [600, 660]])
})

test('the national calendar: what the school has made its own is kept, the same is the same, 2027 is not known', () => {
  expect([nationalSpecials(2025).length, nationalSpecials(2026).length, nationalSpecials(2027)]).toEqual([11, 13, []])
  const row = { id: '1', row_version: 1, scope_kind: 'school', closed_from: null }
  const planned = nationalSpecials(2026).slice(0, 3)
  const known = [
    { ...row, ...planned[0], name: '元旦', begin_date: '2026-01-01', end_date: '2026-01-03', kind: 1, source: 'national' },
    { ...row, id: '2', name: '补课', begin_date: '2026-01-04', end_date: '2026-01-04', kind: 8, source: 'school' },
  ]
  expect(judgeNational(planned, known).map(({ verdict }) => verdict)).toEqual(['same', 'kept', 'new'])
})

test('working days by law: weekends and holidays are none, make-up days are, and school vacations do not count', () => {
  expect(countedDays({ from: '2026-02-13', to: '2026-03-01' }, [])).toEqual(['2026-02-13', '2026-02-14', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28'])
})
