import { Refusal } from '@kit/contract'
import { describe, expect, test } from 'vitest'
import { changedSpan, newSpan } from './member.days.ts'
import type { Days } from './member.days.ts'
import { lastDay } from './school-day.ts'

/** Morning of 21 November in the school. */
const now = new Date('2026-11-21T01:30:00Z')
const start = (day: string) => new Date(`${day}T00:00:00+08:00`)
const sentence = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error instanceof Refusal ? error.message : error
  }
}

describe('days of a new membership', () => {
  test.each<[string, Days, Date, Date | null]>([
    ['from now on, open', {}, now, null],
    ['today is now', { valid_from: '2026-11-21' }, now, null],
    ['a later day from its beginning', { valid_from: '2026-12-01' }, start('2026-12-01'), null],
    ['the last day counts whole', { valid_to: '2026-11-21' }, now, start('2026-11-22')],
  ])('%s', (_name, days, valid_from, valid_to) => {
    expect(newSpan(days, now)).toEqual({ valid_from, valid_to })
  })
  test.each<[string, Days, string]>([
    ['before today', { valid_from: '2026-11-20' }, '开始日期不能早于今天'],
    ['ends before it begins', { valid_from: '2026-12-02', valid_to: '2026-12-01' }, '结束日期不能早于开始日期'],
    ['ends before today', { valid_to: '2026-11-20' }, '结束日期不能早于开始日期'],
  ])('refused: %s', (_name, days, msg) => {
    expect(sentence(() => newSpan(days, now))).toBe(msg)
  })
})

describe('changed days', () => {
  const begun = { valid_from: start('2026-09-01'), valid_to: start('2027-01-01') }
  const ahead = { valid_from: start('2026-12-01'), valid_to: start('2027-01-01') }
  test.each<[string, typeof begun, Days, Date, Date | null]>([
    ['a later end', begun, { valid_to: '2027-07-01' }, begun.valid_from, start('2027-07-02')],
    ['an open end', begun, { valid_to: null }, begun.valid_from, null],
    ['the same first day', begun, { valid_from: '2026-09-01' }, begun.valid_from, begun.valid_to],
    ['another beginning ahead', ahead, { valid_from: '2026-12-24' }, start('2026-12-24'), ahead.valid_to],
    ['a beginning today', ahead, { valid_from: '2026-11-21' }, now, ahead.valid_to],
    ['ends today', begun, { valid_to: '2026-11-21' }, begun.valid_from, start('2026-11-22')],
  ])('%s', (_name, had, days, valid_from, valid_to) => {
    expect(changedSpan(had, days, now)).toEqual({ valid_from, valid_to })
  })
  test.each<[string, { valid_from: Date; valid_to: Date | null }, Days, string]>([
    ['the beginning of one that has begun', begun, { valid_from: '2026-12-01' }, '已开始的成员关系不能修改开始日期'],
    ['an end that has passed', begun, { valid_to: '2026-11-20' }, '结束日期不能早于开始日期'],
    ['a beginning after the end', ahead, { valid_from: '2027-02-01' }, '结束日期不能早于开始日期'],
    ['one that is over', { ...begun, valid_to: start('2026-11-01') }, { valid_to: null }, '该成员关系已结束，请重新添加'],
  ])('refused: %s', (_name, had, days, msg) => {
    expect(sentence(() => changedSpan(had, days, now))).toBe(msg)
  })
  test('the last day of an interval is the one before its end', () => {
    expect([lastDay(null), lastDay(start('2026-11-22')), lastDay(now)]).toEqual([null, '2026-11-21', '2026-11-21'])
  })
})
