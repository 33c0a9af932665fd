import { expect, test } from 'vitest'
import { withChildren } from './tree-nodes.ts'

test('children loaded for a deep node appear under it and nowhere else', () => {
  const tree = [{ id: '1', name: '小学部', is_leaf: false, children: [{ id: '2', name: '一年级', is_leaf: false }] }, { id: '3', name: '初中部', is_leaf: false }]
  const class_1 = { id: '4', name: '1班', is_leaf: true }
  expect(withChildren(tree, '2', [class_1])).toEqual([
    { id: '1', name: '小学部', is_leaf: false, children: [{ id: '2', name: '一年级', is_leaf: false, children: [class_1] }] },
    { id: '3', name: '初中部', is_leaf: false },
  ])
})
