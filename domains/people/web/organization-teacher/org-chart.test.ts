import { expect, test } from 'vitest'
import { node } from '../organization/testing/sample-depts.ts'
import { box, layOut } from './org-chart.ts'

const tree = [node('1', 1, '学校', [node('2', 5, '教务处'), node('3', 7, '教研组', [node('4', 7, '语文组', [node('6', 8, '备课组')]), node('5', 7, '数学组')]), node('7', 5, '总务处')])]

test('every department has a box, those below to the right of it, and no two of a level touch', () => {
  const { boxes, width, height } = layOut(tree)
  expect(boxes.map(one => one.node.id).toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7'])
  const touching = boxes.filter((one, at) => boxes.some((other, place) => place > at && other.x === one.x && Math.abs(other.y - one.y) < box.height))
  const beside = boxes.filter(one => one.parent !== null && one.x < one.parent.x + box.width)
  const outside = boxes.filter(one => one.x + box.width > width || one.y + box.height > height)
  expect({ touching, beside, outside }).toEqual({ touching: [], beside: [], outside: [] })
})

test('whoever has something below stands on the line of the first of it, and the order is that of the tree', () => {
  const { boxes } = layOut(tree)
  const y = (id: string) => boxes.find(one => one.node.id === id)?.y ?? -1
  expect(y('3')).toBe(y('4'))
  expect(y('1')).toBe(0)
  expect(['2', '6', '5', '7'].map(y)).toEqual(['2', '6', '5', '7'].map(y).toSorted((a, b) => a - b))
})

test('a tree of one has one box, none has none', () => {
  expect(layOut([node('1', 1, '学校')])).toMatchObject({ width: box.width, height: box.height })
  expect(layOut([])).toEqual({ boxes: [], width: 0, height: 0 })
})
