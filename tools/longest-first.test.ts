import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longest, longestFirst } from './longest-first.ts'

test('the longest files stand in front in their order, the others behind them as they stood', () => {
  const [first = '', second = ''] = longest
  expect(longestFirst(['z.test.ts', second, 'a.test.ts', first], path => path)).toEqual([first, second, 'z.test.ts', 'a.test.ts'])
})

test('every file that is named exists', () => {
  expect(longest.filter(path => !existsSync(join(import.meta.dirname, '..', path)))).toEqual([])
})
