import { readScore, scoreText } from '@campus/exams/contract'
import { describe, expect, test } from 'vitest'
import { assignScores } from './assign.ts'
import { binsOf, boxOf, figuresOf, itemFigures, percentileOf, ranksOf, rounded, segmentsOf, tOf } from './statistics.ts'

const cuts = { excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40 }

test.each([
  ['118', { score: 118, score_state: 0 }, '118'], ['0', { score: 0, score_state: 0 }, '0'], ['零分', { score: 0, score_state: 5 }, '零分'], ['', { score: null, score_state: 9 }, ''],
  [' 缺考 ', { score: null, score_state: 1 }, '缺考'], ['q', { score: null, score_state: 1 }, '缺考'], ['Z', { score: null, score_state: 3 }, '作弊'], ['m', { score: null, score_state: 4 }, '免考'],
  ['126.50', { score: 126.5, score_state: 0 }, '126.5'], ['清空', { score: null, score_state: 9 }, ''],
])('55-A24 a cell reads %s', (typed, stored, shown) => {
  const score = readScore(typed, { full_score: 150, decimals: 1 })
  expect(score).toEqual(stored)
  expect(typeof score === 'string' ? '' : scoreText(score)).toBe(shown)
})

test.each([['150.5', 'scoreRange'], ['120.25', 'scoreStep'], ['-1', 'scoreWord'], ['优秀', 'scoreWord'], ['1e2', 'scoreWord']])('55-A24 a cell refuses %s as %s', (typed, fault) => {
  expect(readScore(typed, { full_score: 150, decimals: 1 })).toBe(fault)
})

describe('55-A26 figures', () => {
  test('of a group, rates in percent, population deviation', () => {
    const figures = figuresOf([90, 80, 60, 50, 30], 100, cuts)
    expect({ ...figures, sd: rounded(figures.sd, 2) }).toEqual({ n: 5, mean: 62, median: 60, sd: 21.35, max: 90, min: 30, excellent: 20, good: 40, pass: 60, low: 20 })
    expect(figuresOf([], 100, cuts)).toMatchObject({ n: 0, mean: null, pass: null })
  })
  test('of a paper: the best and the last 27 %, ties by number', () => {
    const rows = [100, 90, 80, 70, 60, 50, 40, 30, 20, 10].map((score, at) => ({ score, exam_no: String(at) }))
    const { difficulty, discrimination } = itemFigures(rows, 100)
    expect([difficulty, rounded(discrimination, 3)]).toEqual([0.55, 0.7])
  })
  test('ranks 1, 2, 2, 4; percentiles compare exams of different sizes; T without deviation is 50', () => {
    expect(ranksOf([90, 80, 80, 70])).toEqual([1, 2, 2, 4])
    expect([percentileOf(1, 5), percentileOf(5, 5), percentileOf(1, 1), tOf(80, 70, 10), tOf(80, 80, 0)]).toEqual([100, 0, 100, 60, 50])
  })
  test('bins, marks and boxes', () => {
    expect(binsOf([0, 9, 10, 99, 100], 100, 10).filter(bin => bin.n > 0)).toEqual([{ name: '0–9', n: 2 }, { name: '10–19', n: 1 }, { name: '90–100', n: 2 }])
    expect(segmentsOf([90.5, 90, 88])).toEqual([{ score: 90, n: 2, above: 2 }, { score: 88, n: 1, above: 3 }])
    expect([boxOf([1, 2, 3, 4]), boxOf([])]).toEqual([[1, 1.75, 2.5, 3.25, 4], null])
  })
})

describe('55-A25 assigned scores', () => {
  const levelsOf = (raw: number[]) => { const map = assignScores(raw); return raw.map(score => map.get(score)) }
  test('twenty distinct scores by hand: A 3, B 7, C 7, D 3 (cuts 3, 10, 17, 19.6 → 20)', () => {
    const raw = Array.from({ length: 20 }, (_, at) => 95 - at * 2)
    expect(levelsOf(raw)).toEqual([100, 93, 86, 85, 83, 80, 78, 76, 73, 71, 70, 68, 65, 63, 61, 58, 56, 55, 48, 41])
  })
  test('ties at a cut join the higher level', () => expect(levelsOf([95, 93, 90, 90, 80, 78, 76, 74, 72, 70, 60, 58, 56, 54, 52, 50, 48, 40, 30, 20])).toEqual([100, 94, 86, 86, 85, 82, 79, 77, 74, 71, 70, 68, 65, 63, 61, 58, 56, 55, 48, 41]))
  test.each([{ raw: [77], out: [85] }, { raw: [60, 60, 60], out: [85, 85, 85] }])('one distinct score $raw', ({ raw, out }) => {
    expect(levelsOf(raw).every(score => score !== undefined && score >= 30 && score <= 100)).toBe(true)
    expect(out).toHaveLength(raw.length)
  })
  test('seven: cuts 1, 4 (3.5), 6, 7', () => expect(levelsOf([90, 80, 75, 70, 60, 50, 40])).toEqual([100, 85, 78, 71, 70, 56, 55]))
  test('order and bounds hold for any scores; 0 gets 30', () => {
    for (let n = 1; n <= 430; n += 13) {
      const raw = Array.from({ length: n }, (_, at) => (at * 7919) % 101)
      const map = assignScores(raw)
      const pairs = [...map].toSorted(([a], [b]) => a - b)
      expect(pairs.every(([, score], at) => score >= 30 && score <= 100 && (at === 0 || score >= (pairs[at - 1]?.[1] ?? 0)))).toBe(true)
    }
    expect(assignScores([0, 50, 100]).get(0)).toBe(30)
  })
})
