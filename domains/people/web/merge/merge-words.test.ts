import { expect, test } from 'vitest'
import { daysLeft, inOrder, pairOf } from './merge-words.ts'

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

test('one of the staff takes a parent in, whichever stands first', () => {
  const [staff, parent] = [{ user_id: '1', user_name: '', person_kind: 2, user_no: '', label: '', mobile: null, birthday: null }, { user_id: '2', user_name: '', person_kind: 3, user_no: '', label: '', mobile: null, birthday: null }]
  expect([pairOf({ a: staff, b: parent }), pairOf({ a: parent, b: staff }), pairOf({ a: parent, b: parent })]).toEqual([{ keep: '1', drop: '2' }, { keep: '1', drop: '2' }, { keep: '2', drop: '2' }])
})
