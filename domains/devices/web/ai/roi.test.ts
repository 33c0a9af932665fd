import { expect, test } from 'vitest'
import { moved, withCorner } from './roi.ts'

const square = [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 1 }, { x: 0, y: 1 }]

test.each([
  ['on the upper side', { x: 0.5, y: 0.1 }, 1],
  ['on the right side', { x: 0.9, y: 0.5 }, 2],
  ['on the side that closes the area', { x: 0.1, y: 0.5 }, 4],
])('a corner comes between those of the nearest side: %s', (_, corner, at) => {
  expect(withCorner(square, corner).indexOf(corner)).toBe(at)
})

test('the first three corners come in their order', () => {
  expect(withCorner(square.slice(0, 2), { x: 0.5, y: 0.1 }).at(-1)).toEqual({ x: 0.5, y: 0.1 })
})

test('a corner never leaves the picture', () => {
  expect([moved({ x: 0.995, y: 0.5 }, 0.01, 0), moved({ x: 0.5, y: 0.004 }, 0, -0.05)]).toEqual([{ x: 1, y: 0.5 }, { x: 0.5, y: 0 }])
})
