import { expect, test } from 'vitest'
import { job_bars, jobPercent } from './job-progress.tsx'
import { jobRuns } from './job.ts'

test.each([
  ['queued', 0, 0, 0, true],
  ['running', 3000, 2999, 99, true],
  ['running', 10, 12, 100, true],
  ['succeeded', 0, 0, 100, false],
  ['partly', 10, 10, 100, false],
  ['failed', 10, 5, 50, false],
  ['cancelled', 10, 5, 50, false],
] as const)('a %s job of %i with %i done stands at %i percent', (state, total, done, percent, runs) => {
  expect(jobPercent({ state, total, done })).toBe(percent)
  expect(jobRuns({ state })).toBe(runs)
})

test('the bar of a cancelled job is grey, says no percent and does not run on', () => {
  expect(job_bars.cancelled).toEqual({ status: 'normal', strokeColor: '#bfbfbf', showInfo: false })
})
