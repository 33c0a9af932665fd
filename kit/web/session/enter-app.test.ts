import { expect, test } from 'vitest'
import { isIdleTooLong } from './enter-app.ts'

const NOW = Date.parse('2026-11-20T08:00:00+08:00')

test.each([
  [604_799_999, false],
  [604_800_000, false],
  [604_800_001, true],
  [0, false],
  [-5000, false],
])('10-A15 a session left %i ms ago is idle too long: %s', (ago, idle) => {
  expect(isIdleTooLong(String(NOW - ago), NOW)).toBe(idle)
})

test.each([null, '', 'yesterday'])('without a readable time (%j) nobody is sent away', (stored) => {
  expect(isIdleTooLong(stored, NOW)).toBe(false)
})
