import type { FeedRow } from '@campus/people/contract'
import { expect, test } from 'vitest'
import { feedDays } from './feed-days.ts'

const row = (happened_at: string): FeedRow => ({
  log_id: crypto.randomUUID(), happened_at, user_id: '1', user_name: '王子涵', user_no: null, dept_name: null, op_type: 4, changes: [], source: 'typed', batch_no: null, command_id: null,
  actor: null, role_name: null, acted_for: null,
})

test('lines stand under the day of the school, not of UTC; last year says its year', () => {
  const days = feedDays([row('2026-03-03T17:00:00.000Z'), row('2026-03-03T15:00:00.000Z'), row('2025-12-31T01:00:00.000Z')], '2026-03-04')
  expect(days.map(day => [day.title, day.rows.length])).toEqual([['3月4日 星期三 · 今天', 1], ['3月3日 星期二', 1], ['2025年12月31日 星期三', 1]])
})
