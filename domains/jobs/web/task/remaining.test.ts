import { expect, test } from 'vitest'
import { remainingText } from './remaining.ts'

const first = { stage: '导入数据', done: 100, at: 0 }

test.each([
  [300, 10_000, 1000, '剩余约 35 秒'],
  [300, 60_000, 1000, '剩余约 4 分钟'],
  [100, 10_000, 1000, undefined],
  [1000, 10_000, 1000, undefined],
])('%i done after %i ms of %i', (done, at, total, text) => {
  expect(remainingText(first, { ...first, done, at }, total)).toBe(text)
})
