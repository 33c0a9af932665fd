import { findGap, needsStep } from '../flow/flow.ts'
import { chainsOf } from '../record/chain.ts'
import type { FormDesign } from '@campus/leave/contract'
import { describe, expect, test } from 'vitest'
import { clockAt, measureSpan, resolveHalf } from './measure.ts'
import type { DayPlan } from './measure.ts'

/** Four lessons in the morning, two in the afternoon, 40 minutes each. */
function dayOf(date: string, is_school_day = true, shift = 0): DayPlan {
  const lesson = (begin: number) => ({ begin: clockAt(date, begin + shift), end: clockAt(date, begin + shift + 40) })
  const lessons = is_school_day ? [8 * 60, 9 * 60, 10 * 60, 11 * 60, 14 * 60, 15 * 60].map(lesson) : []
  return { date, is_school_day, lessons, begin: clockAt(date, 8 * 60 + shift), noon: clockAt(date, 12 * 60), end: clockAt(date, 15 * 60 + 40 + shift) }
}

const [thursday, friday, saturday, monday] = ['2026-10-08', '2026-10-09', '2026-10-10', '2026-10-12'] as const
const week = [dayOf(thursday), dayOf(friday), dayOf(saturday, false), dayOf('2026-10-11', false), dayOf(monday)]

describe('70-A9 how long a leave is', () => {
  type Moment = readonly [day: string, clock: string]
  const cases: readonly [name: string, begin: Moment, end: Moment, days: readonly DayPlan[], expected: readonly [minutes: number, school_days: number, lessons: number]][] = [
    ['one lesson', [friday, '09:00'], [friday, '09:40'], week, [40, 0.13, 1]],
    ['a break between lessons', [friday, '08:40'], [friday, '09:00'], week, [20, 0, 0]],
    ['a lesson that it touches', [friday, '08:30'], [friday, '08:50'], week, [20, 0.13, 1]],
    ['the morning', [friday, '08:00'], [friday, '12:00'], week, [240, 0.5, 4]],
    ['the afternoon', [friday, '12:00'], [friday, '15:40'], week, [220, 0.5, 2]],
    ['the whole day', [friday, '08:00'], [friday, '15:40'], week, [1440, 1, 6]],
    ['midnight to midnight', [friday, '00:00'], [saturday, '00:00'], week, [1440, 1, 6]],
    ['two days', [thursday, '08:00'], [friday, '15:40'], week, [2880, 2, 12]],
    ['over a weekend', [friday, '08:00'], [monday, '15:40'], week, [4780, 2, 12]],
    ['a day off alone', [saturday, '08:00'], [saturday, '15:00'], week, [420, 0, 0]],
    ['a make-up Saturday', [saturday, '08:00'], [saturday, '15:40'], [dayOf(saturday)], [1440, 1, 6]],
    ['a holiday in the middle', [thursday, '08:00'], [saturday, '15:40'], [dayOf(thursday), dayOf(friday, false), dayOf(saturday)], [3340, 2, 12]],
    ['winter times begin half an hour later', [friday, '08:00'], [friday, '09:00'], [dayOf(friday, true, 30)], [60, 0.13, 1]],
  ]
  test.each(cases)('%s', (_name, begin, end, days, [minutes, school_days, lessons]) => {
    const at = ([date, clock]: Moment) => Date.parse(`${date}T${clock}:00+08:00`)
    expect(measureSpan({ begin: at(begin), end: at(end) }, days)).toEqual({ minutes, school_days, lessons })
  })

  test('two halves of a day meet and do not overlap; boarders have the whole of it', () => {
    const day = dayOf(friday)
    const [am, pm] = [resolveHalf(day, day, 'am', false), resolveHalf(day, day, 'pm', false)]
    expect(am?.end).toBe(pm?.begin)
    expect(resolveHalf(day, day, 'day', false)).toEqual({ begin: day.begin, end: day.end })
    expect(resolveHalf(day, dayOf(saturday), 'day', true)).toEqual({ begin: clockAt(friday, 0), end: clockAt('2026-10-11', 0) })
  })
})

describe('70-A8 steps and holes', () => {
  const step = (when: FormDesign['steps'][number]['when']) => ({ mode: 1, resolver: 2, resolver_ids: [], when, remind_min: 30, escalate_min: 120 })
  const design = (steps: FormDesign['steps'], no_approval = false): FormDesign => ({
    leave_types: ['1', '2'], unit: 1, min_minutes: 30, max_minutes: 43_200, advance_min: 0, backdate_days: 3, exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, attach_from_days: null, quota_code: null, no_approval, fallback_user_ids: ['1'], steps,
  })
  test('the first hole is named by type and length; conditions that may not hold close none', () => {
    expect(findGap(design([step({})]))).toBeNull()
    expect(findGap(design([]))).toEqual({ leave_type: '1', minutes: 30 })
    expect(findGap(design([], true))).toBeNull()
    expect(findGap(design([step({ minutes_to: 1440 }), step({ minutes_from: 2880 })]))).toEqual({ leave_type: '1', minutes: 1440 })
    expect(findGap(design([step({ leave_types: ['1'] })]))).toEqual({ leave_type: '2', minutes: 30 })
    expect(findGap(design([step({ study_method: '2' })]))).toEqual({ leave_type: '1', minutes: 30 })
    expect(findGap(design([step({ minutes_to: 1440 }), step({ minutes_from: 1440 })]))).toBeNull()
  })

  test('10,000 applications to a form without a hole: each has a step', () => {
    const whole = design([step({ minutes_to: 720, leave_types: ['1'] }), step({ minutes_from: 720 }), step({ leave_types: ['2'], minutes_to: 720 }), step({ month_times_ge: 3 })])
    expect(findGap(whole)).toBeNull()
    const without = Array.from({ length: 10_000 }, (_, at) => ({ minutes: 30 + ((at * 7919) % 43_171), leave_type: at % 2 === 0 ? '1' : '2', study_methods: [], in_exam: at % 5 === 0, month_times: 1 + (at % 4) }))
      .filter(facts => !whole.steps.some(one => needsStep(one, facts)))
    expect(without).toEqual([])
  })
})

test('sick leaves with at most three school days between them are one chain; short ones are none', () => {
  const sick = (leave_id: string, school_days: number, gap_days: number, is_rest = false) => ({ leave_id, from: friday, to: friday, school_days, lessons: 6, is_rest, gap_days, has_proof: false })
  expect(chainsOf([sick('1', 2, 0), sick('2', 1, 3), sick('3', 2, 4), sick('4', 1, 9, true)]).map(chain => [chain.leaves.map(one => one.leave_id), chain.school_days])).toEqual([[['1', '2'], 3], [['4'], 1]])
})
