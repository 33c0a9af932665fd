import { expect, test } from 'vitest'
import { keepPage, KEPT_LIMIT } from './keep-pages.ts'

const visit = (paths: string) => [...paths].reduce<{ path: string }[]>((kept, path) => keepPage(kept, { path }), [])
const pathsOf = (kept: readonly { path: string }[]) => kept.map((page) => page.path).join('')

test('10-A29 a page visited again is kept once, as the newest', () => {
  expect(pathsOf(visit('ABA'))).toBe('BA')
})

test('the ninth kept page pushes out the oldest', () => {
  expect(pathsOf(visit('ABCDEFGHI'))).toBe('BCDEFGHI')
  expect(visit('ABCDEFGHIJKL')).toHaveLength(KEPT_LIMIT)
})
