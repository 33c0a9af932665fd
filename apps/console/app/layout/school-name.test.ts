import { expect, test } from 'vitest'
import { schoolNameSize } from './school-name.ts'

test.each([
  [1, 24],
  [8, 24],
  [9, 20],
  [20, 20],
  [21, 14],
])('10-A29 a name of %i signs is written in %i px', (signs, size) => {
  expect(schoolNameSize('校'.repeat(signs))).toBe(size)
  expect(schoolNameSize('𠀀'.repeat(signs))).toBe(size)
})
