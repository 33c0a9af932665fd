import { expect, test } from 'vitest'
import { instantText } from './school-time.ts'

test.each([
  ['2026-03-04T07:41:59+08:00', '2026-03-04 07:41'],
  ['2026-03-03T23:41:00Z', '2026-03-04 07:41'],
  ['2026-03-03T15:41:00.123456-08:00', '2026-03-04 07:41'],
])('%s is %s at school, whatever the browser’s zone', (instant, text) => {
  expect(instantText(instant)).toBe(text)
})
