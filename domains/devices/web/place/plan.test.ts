import { expect, test } from 'vitest'
import { nudged, partOf } from './plan.ts'

test.each([[150, 120, { x: 0.5, y: 0.2 }], [0, 900, { x: 0, y: 1 }], [83.334, 100, { x: 0.16667, y: 0 }]])('a point at %d, %d is told in parts of the picture, never beside it', (clientX, clientY, part) => {
  expect(partOf({ clientX, clientY }, { left: 50, top: 100, width: 200, height: 100 })).toEqual(part)
})

test('the same place of a picture shown twice as large is the same part of it', () => {
  expect(partOf({ clientX: 100, clientY: 40 }, { left: 0, top: 0, width: 400, height: 200 })).toEqual(partOf({ clientX: 200, clientY: 80 }, { left: 0, top: 0, width: 800, height: 400 }))
})

test.each([['ArrowRight', false, { x: 0.505, y: 0.5 }], ['ArrowUp', true, { x: 0.5, y: 0.45 }], ['Enter', false, null]])('%s with Shift %j moves a pin', (key, shiftKey, point) => {
  expect(nudged({ x: 0.5, y: 0.5 }, { key, shiftKey })).toEqual(point)
})
