import { describe, expect, test } from 'vitest'
import { barsOf, barText, spanBetween } from './day-strip.ts'
import { daysOf, filtersOf, shiftDay, stripOf, tabOf, withSearch } from './log-search.ts'

const counts = [{ day: '2026-10-02', n: 200, refused: 3 }, { day: '2026-10-03', n: 1, refused: 0 }]

describe('the strip', () => {
  const bars = barsOf('2026-10-01', counts)
  test('has a bar a day, as high as its share of the busiest one, and something even for one row', () => {
    expect(bars).toHaveLength(92)
    expect(bars.slice(0, 3).map(bar => [bar.height, bar.red])).toEqual([[0, 0], [1, 0.06], [0.06, 0]])
    expect(bars.at(-1)?.day).toBe('2026-12-31')
    expect(bars.slice(0, 4).map(bar => bar.is_weekend)).toEqual([false, false, true, true])
  })
  test('says a day with its refusals', () => {
    expect(bars.slice(1, 3).map(barText)).toEqual(['2026-10-02 周五 200 条，其中拒绝 3 条', '2026-10-03 周六 1 条'])
  })
  test('is brushed in either direction and not beyond its ends', () => {
    expect(spanBetween(bars, 5, 2)).toEqual({ from: '2026-10-03', to: '2026-10-06' })
    expect(spanBetween(bars, -4, 200)).toEqual({ from: '2026-10-01', to: '2026-12-31' })
  })
  test.each([
    [{ from: '2026-11-16', to: '2026-11-22' }, '2026-11-20'],
    [{ from: '2026-08-25', to: '2026-08-25' }, '2026-11-20'],
    [{ from: '2026-03-01', to: '2026-03-31' }, '2026-05-31'],
    [{ from: '2027-01-01', to: '2027-01-31' }, '2027-01-31'],
  ])('shows %j', (days, last) => {
    const strip = stripOf(days, '2026-11-20')
    expect(strip).toEqual({ from: shiftDay(last, -91), to: last })
  })
})

describe('the address bar', () => {
  test('names days, filters and the rest apart', () => {
    expect(daysOf({ from: '2026-10-01', to: '2026-10-31' })).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(filtersOf({ from: '2026-10-01', cursor: '-x', page_size: '50', log_id: '1', module: 'people' })).toEqual({ module: 'people' })
    expect(withSearch({ cursor: '-x', ok: '0', ip: '10.' }, { ok: undefined, module: 'jobs' })).toEqual({ ip: '10.', module: 'jobs' })
  })
  test.each([
    ['2026-10-12', '2026-10-12', 'day'], ['2026-10-12', '2026-10-18', 'week'], ['2026-10-01', '2026-10-31', 'month'], ['2026-10-01', '2026-10-18', undefined],
  ])('%s – %s is a %s', (from, to, mode) => {
    expect(tabOf({ from, to })?.mode).toBe(mode)
  })
})
