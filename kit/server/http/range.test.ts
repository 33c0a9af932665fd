import { expect, test } from 'vitest'
import { partOf } from './range.ts'

test.each([
  [undefined, null],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['bytes=100-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=9-3', null],
  ['bytes=0-1,5-6', null],
  ['items=0-9', null],
  ['bytes=-', null],
])('of 100 bytes %s asks for %o', (header, part) => {
  expect(partOf(header, 100)).toEqual(part)
})
