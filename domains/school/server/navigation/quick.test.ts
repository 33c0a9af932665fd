import type { NavItem } from '@campus/school/contract'
import { expect, test } from 'vitest'
import { quickRow } from './quick.ts'

const node = (id: number, path: string, more: Partial<NavItem> = {}): NavItem => ({
  id, path, code: path, name: path, show_name: path, icon: '', order: id, superior_id: 0, hidden: false, children: [], ...more,
})
const letters = [...'ABCDEFGHIJ']
const menu = [
  node(1, '', { children: [node(10, '/ParentsRecord'), node(11, '/Hidden', { hidden: true })] }),
  node(2, '', { children: letters.map((letter, at) => node(20 + at, `/${letter}`)) }),
]

test.each([
  ['keeps the order of the choice', ['/C', '/ParentsRecord', '/A'], ['/C', '/ParentsRecord', '/A']],
  ['drops what the menu does not hold, or does not show', ['/Secret', '/Hidden', '/B', ''], ['/B']],
  ['holds a page once', ['/B', '/B', '/A'], ['/B', '/A']],
  ['holds eight of those that may be opened', ['/Secret', ...letters.map(letter => `/${letter}`)], letters.slice(0, 8).map(letter => `/${letter}`)],
  ['stays empty when that was chosen', [], []],
  ['is the usual one when nothing was chosen', null, ['/ParentsRecord']],
  ['is the usual one when the choice is spoilt', { paths: ['/A'] }, ['/ParentsRecord']],
  ['is the usual one when a line of the choice is spoilt', ['/A', 7], ['/ParentsRecord']],
])('the quick row %s', (_, chosen, paths) => {
  expect(quickRow(menu, chosen).map(page => page.path)).toEqual(paths)
})
