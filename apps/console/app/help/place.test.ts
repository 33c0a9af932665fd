import { expect, test } from 'vitest'
import { firstPlace, stepped, within } from './place.ts'

const desk = { width: 1366, height: 768 }

test('the popup begins at the bottom right, above its button', () => {
  expect(firstPlace(desk)).toEqual({ x: 930, y: 96 })
  expect(firstPlace({ width: 400, height: 500 })).toEqual({ x: 0, y: 0 })
})

test('it never leaves the window', () => {
  expect(within({ x: -50, y: -1 }, desk)).toEqual({ x: 0, y: 0 })
  expect(within({ x: 5000, y: 5000 }, desk)).toEqual({ x: 946, y: 720 })
})

test('arrow keys move it, others do not', () => {
  expect(stepped({ x: 100, y: 100 }, 'ArrowLeft', desk)).toEqual({ x: 84, y: 100 })
  expect(stepped({ x: 0, y: 100 }, 'ArrowLeft', desk)).toEqual({ x: 0, y: 100 })
  expect(stepped({ x: 100, y: 100 }, 'Enter', desk)).toBeNull()
})
