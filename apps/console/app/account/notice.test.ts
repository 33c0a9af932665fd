import { expect, test } from 'vitest'
import { dismissalOf, showsNotice } from './notice.ts'

const until = Date.parse('2025-07-01T12:00:00+08:00')
const facts = { now: until, until, is_super: false, user_id: '11', dismissed: null }

test('10-A30 the notice is shown up to its last moment and never after', () => {
  expect(showsNotice(facts)).toBe(true)
  expect(showsNotice({ ...facts, now: facts.until + 1 })).toBe(false)
  expect(showsNotice({ ...facts, now: Date.parse('2026-11-20T08:00:00+08:00') })).toBe(false)
})

test('10-A30 super never sees it', () => {
  expect(showsNotice({ ...facts, is_super: true })).toBe(false)
})

test('10-A30 once closed it stays closed for the day and the person, by the day in Shanghai', () => {
  const closed = dismissalOf(Date.parse('2025-06-29T23:59:00+08:00'), '11')
  expect(closed).toBe('2025-06-29 11')
  expect(showsNotice({ ...facts, now: Date.parse('2025-06-29T00:30:00+08:00'), dismissed: closed })).toBe(false)
  expect(showsNotice({ ...facts, now: Date.parse('2025-06-30T00:30:00+08:00'), dismissed: closed })).toBe(true)
  expect(showsNotice({ ...facts, now: Date.parse('2025-06-29T12:00:00+08:00'), user_id: '12', dismissed: closed })).toBe(true)
})
