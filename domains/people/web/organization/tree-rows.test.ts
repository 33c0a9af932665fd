import { expect, test } from 'vitest'
import { smallTree } from './testing/sample-depts.ts'
import { moved } from './tree-moved.ts'
import { moveOf, parentsFor, rowsOf, stepOf } from './tree-rows.ts'
import type { Drop, Move } from './tree-rows.ts'

const tree = smallTree()

test('lines are those of opened departments, with level and place', () => {
  const rows = rowsOf(tree, new Set(['1', '2']))
  expect(rows.map(row => [row.node.dept_name, row.level, row.index, row.siblings, row.is_open])).toEqual([
    ['学校', 1, 1, 1, true],
    ['小学部', 2, 1, 2, true],
    ['一年级', 3, 1, 2, false],
    ['二年级', 3, 2, 2, false],
    ['初中部', 2, 2, 2, false],
  ])
})

test.each<[string, string, Drop['place'], string, Move | null]>([
  ['a class before its brother', '5', 'before', '4', { id: '5', index: 1 }],
  ['a class behind its brother', '4', 'after', '5', { id: '4', index: 2 }],
  ['a class where it is', '4', 'before', '5', null],
  ['a class into another grade', '4', 'inside', '6', { id: '4', parent_id: '6' }],
  ['a class into its own grade', '4', 'inside', '3', null],
  ['a class beside a class of another grade', '4', 'before', '7', { id: '4', parent_id: '6', index: 1 }],
  ['a class behind a class of another grade', '4', 'after', '7', { id: '4', parent_id: '6', index: 2 }],
  ['a class into a division', '4', 'inside', '2', null],
  ['a class beside a grade', '4', 'after', '3', null],
  ['a grade into another division', '3', 'inside', '8', { id: '3', parent_id: '8' }],
  ['a grade into the school', '3', 'inside', '1', { id: '3', parent_id: '1' }],
  ['a grade beside a division', '3', 'after', '8', { id: '3', parent_id: '1', index: 3 }],
  ['a division into a grade', '2', 'inside', '6', null],
  ['a department into itself', '2', 'inside', '3', null],
  ['the school', '1', 'inside', '2', null],
  ['anything beside the school', '2', 'before', '1', null],
])('dropping %s', (_, dragged, place, id, move) => {
  expect(moveOf(tree, dragged, { id, place })).toEqual(move)
})

test('a step stays among the siblings', () => {
  expect([stepOf(tree, '4', 1), stepOf(tree, '4', -1), stepOf(tree, '5', 1), stepOf(tree, '1', 1)]).toEqual([{ id: '4', index: 2 }, null, null, null])
})

test('legal parents are all but the own one', () => {
  expect(parentsFor(tree, '4').map(one => one.dept_name)).toEqual(['二年级'])
  expect(parentsFor(tree, '3').map(one => one.dept_name)).toEqual(['学校', '初中部'])
  expect(parentsFor(tree, '8')).toEqual([])
})

test('a move is shown before it is answered', () => {
  const names = (move: Move, parent: string) => rowsOf(moved(tree, move), new Set(['1', '2', '3', '6', '8'])).filter(row => row.node.parent_id === parent).map(row => row.node.dept_name)
  expect(names({ id: '4', index: 2 }, '3')).toEqual(['一年级2班', '一年级1班'])
  expect(names({ id: '4', parent_id: '6', index: 1 }, '6')).toEqual(['一年级1班', '二年级1班'])
  expect(names({ id: '3', parent_id: '8' }, '8')).toEqual(['一年级'])
})
