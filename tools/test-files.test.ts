import { expect, test } from 'vitest'
import { longOf, quickOf, sortTestFiles } from './test-files.ts'

test('a file whose name ends in .long.test is long, every other one is quick', () => {
  const files = ['a/long.test.ts', 'a/x.long.test.ts', 'b/y.test.tsx', 'b/y.long.test.tsx']
  expect([quickOf(files), longOf(files)]).toEqual([['a/long.test.ts', 'b/y.test.tsx'], ['a/x.long.test.ts', 'b/y.long.test.tsx']])
})

test('every kind has quick files and long ones, so that no step of a run is empty', () => {
  const { embedded, postgres, browser } = sortTestFiles()
  for (const files of [embedded, postgres, browser]) {
    expect(Math.min(quickOf(files).length, longOf(files).length)).toBeGreaterThan(0)
    expect([...quickOf(files), ...longOf(files)].toSorted()).toEqual([...files].toSorted())
  }
})
