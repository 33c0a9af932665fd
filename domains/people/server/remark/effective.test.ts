import { expect, test } from 'vitest'
import { effectiveValues } from './effective.ts'

const depts = [
  { id: '1', node_path: '/1/' },
  { id: '5', node_path: '/1/5/' },
  { id: '9', node_path: '/1/5/9/' },
  { id: '10', node_path: '/1/5/10/' },
  { id: '6', node_path: '/1/6/' },
]

test.each<[string, [string, string][], [string, string][]]>([
  ['nothing is said', [], []],
  ['a division speaks for its classes', [['5', '东校区']], [['5', '东校区'], ['9', '东校区'], ['10', '东校区']]],
  ['a class of its own is not overruled', [['5', '东校区'], ['9', '西校区']], [['5', '东校区'], ['9', '西校区'], ['10', '东校区']]],
  ['the school speaks for all', [['1', '本部']], depts.map(({ id }) => [id, '本部'])],
  ['what is said of a department elsewhere says nothing here', [['77', '东校区']], []],
])('%s', (_what, said, expected) => {
  expect([...effectiveValues(depts, new Map(said))]).toEqual(expected)
})
