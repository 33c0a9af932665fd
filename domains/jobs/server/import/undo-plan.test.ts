import { describe, expect, test } from 'vitest'
import { planUndo, readTouches } from './undo-plan.ts'
import type { TouchedRow } from './undo-plan.ts'

const row = (row_no: number, ...touched: string[]): TouchedRow => ({ row_no, touched: readTouches(touched) })
const now = (...marks: string[]) => new Map(readTouches(marks).map(({ key, mark }) => [key, mark]))
const plan = (rows: TouchedRow[], current: Map<string, string>) => {
  const { blocked, kept } = planUndo(rows, current)
  return { blocked: [...blocked], kept: [...kept] }
}

describe('which rows of a batch can be taken back', () => {
  test.each<[string, TouchedRow[], Map<string, string>, { blocked: [number, string][]; kept: string[] }]>([
    ['all, as long as nothing changed', [row(3, 's:1=a'), row(4, 's:2=b')], now('s:1=a', 's:2=b'), { blocked: [], kept: [] }],
    ['not the one whose thing changed', [row(3, 's:1=a'), row(4, 's:2=b')], now('s:1=a', 's:2=x'), { blocked: [[4, 's:2']], kept: ['s:2'] }],
    ['not the one whose thing is gone', [row(3, 's:1=a')], now(), { blocked: [[3, 's:1']], kept: ['s:1'] }],
    ['what a later row of the batch did is no change', [row(3, 's:1=a', 'p:9=a'), row(4, 's:2=b', 'p:9=b')], now('s:1=a', 's:2=b', 'p:9=b'), { blocked: [], kept: [] }],
    ['every row that wrote to what changed', [row(3, 's:1=a', 'p:9=a'), row(4, 's:2=b', 'p:9=b')], now('s:1=a', 's:2=b', 'p:9=x'), { blocked: [[3, 'p:9'], [4, 'p:9']], kept: ['s:1', 'p:9', 's:2'] }],
    ['a shared thing stays with a row that stays', [row(3, 's:1=a', 'p:9=a'), row(4, 's:2=b', 'p:9=b')], now('s:1=a', 's:2=x', 'p:9=b'), { blocked: [[4, 's:2']], kept: ['s:2', 'p:9'] }],
    ['rows about the same thing stay together', [row(3, 'l:1=a', 'p:8=c'), row(4, 'l:1=a', 'p:9=b')], now('l:1=a', 'p:8=c', 'p:9=x'), { blocked: [[4, 'p:9'], [3, 'p:9']], kept: ['l:1', 'p:8', 'p:9'] }],
    ['a row that changed nothing goes with all', [row(3)], now(), { blocked: [], kept: [] }],
  ])('%s', (_, rows, current, expected) => {
    expect(plan(rows, current)).toEqual(expected)
  })
})
