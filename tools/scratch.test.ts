import { expect, test } from 'vitest'
import { chooseScratch } from './scratch.ts'

const gibi = 1024 ** 3

test.each([
  ['memory with room', 12 * gibi, '/dev/shm'],
  ['memory as small as a container gives it', gibi / 16, '/tmp'],
  ['no such memory', undefined, '/tmp'],
])('what a run needs lies in memory if it fits: %s', (_name, free, folder) => {
  expect(chooseScratch(free, '/tmp')).toBe(folder)
})
