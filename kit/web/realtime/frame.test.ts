import { expect, test } from 'vitest'
import { countFrames, readFrame } from './frame.ts'
import { lockIsFree, lockText } from './tab-lock.ts'
import { retryWait } from './retry-wait.ts'

const frame = (ch: string, n: number) => ({ ch, n, rows: [], gap: false })

test('a hole in the numbers of a channel is noticed once, each channel by itself', () => {
  const isHole = countFrames()
  expect([frame('me', 1), frame('me', 2), frame('alarm', 1), frame('me', 4), frame('me', 5), frame('alarm', 3)].map(isHole)).toEqual([false, false, false, true, false, true])
})

test('only a frame is read as one', () => {
  expect(readFrame({ ch: 'me', n: 1, at: '', rows: [{}], gap: true })).toEqual({ ch: 'me', n: 1, rows: [{}], gap: true })
  expect([readFrame(null), readFrame('me'), readFrame({ ch: 'me', n: '1', rows: [] }), readFrame({ ch: 'me', n: 1 })]).toEqual([undefined, undefined, undefined, undefined])
})

test.each([
  [0, 0, 1000],
  [1, 1, 2000],
  [3, 0, 4000],
  [3, 1, 8000],
  [5, 1, 30_000],
  [50, 0, 15_000],
  [50, 1, 30_000],
])('after %i failures and luck %f the next attempt is %i ms away', (failed, luck, wait) => {
  expect(retryWait(failed, luck)).toBe(wait)
})

test('the lock of the tabs is held until its time is over', () => {
  expect(lockIsFree(null, 0)).toBe(true)
  expect(lockIsFree(lockText('a', 1000), 999)).toBe(false)
  expect(lockIsFree(lockText('a', 1000), 1000)).toBe(true)
  expect(lockIsFree('spoilt', 0)).toBe(true)
})
