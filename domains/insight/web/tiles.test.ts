import type { MetricCode } from '@campus/insight/contract'
import { expect, test } from 'vitest'
import { tilesOf } from './tiles.ts'

const figures = (counts: Partial<Record<MetricCode, number>>) =>
  new Map(Object.entries(counts).flatMap(([code, count]) => known.filter((metric) => metric === code).map((metric) => [metric, { metric, count, link: null }])))
const known: MetricCode[] = ['student_total', 'student_suspended', 'student_stopped', 'staff_total', 'left_week', 'left_next']

test('a tile stands for figures that are known, the others are not there', () => {
  expect(tilesOf(figures({ staff_total: 3 })).map(({ code }) => code)).toEqual(['staff'])
})

test('what is rare is told when it happens', () => {
  const parts = (stopped: number) => tilesOf(figures({ student_total: 9, student_suspended: 0, student_stopped: stopped })).flatMap((tile) => tile.parts)
  expect(parts(0)).toEqual(['student_suspended'])
  expect(parts(1)).toEqual(['student_suspended', 'student_stopped'])
})

test('the main figures stay at 0', () => {
  expect(tilesOf(figures({ left_week: 0, left_next: 0 })).map(({ main, parts }) => [main, parts])).toEqual([[['left_week'], []]])
})
