import { expect, test } from 'vitest'
import { daysLeft, inOrder } from './merge-words.ts'

const now = Date.parse('2026-11-28T08:00:00+08:00')

test.each([
  ['2026-12-28T08:00:00+08:00', 'active', 30], ['2026-11-28T09:00:00+08:00', 'active', 1], ['2026-11-28T08:00:00+08:00', 'active', 0], ['2026-12-28T08:00:00+08:00', 'reversed', 0],
] as const)('until %s, %s: %i days are left', (reversible_until, state, days) => {
  expect(daysLeft({ reversible_until, state }, now)).toBe(days)
})

test('what differs stands first, what is the same last', () => {
  const field = (name: string, verdict: 'same' | 'keep' | 'drop' | 'both') => ({ field: name, label: name, keep: 'x', drop: 'y', verdict, proposed: 'keep' as const })
  expect(inOrder([field('a', 'same'), field('b', 'keep'), field('c', 'both'), field('d', 'drop')]).map(one => one.field)).toEqual(['c', 'd', 'b', 'a'])
})
