import { expect, test } from 'vitest'
import { planMerge } from './plan.ts'
import type { Held } from './plan.ts'

const now = 100
const held = (role_no: string, from: number, to: number | null, more: Partial<Held> = {}): Held => ({ role_no, role_id: 'r', user_dep: '1', acted_for: null, from, to, scope_ids: null, ...more })
const nothing = { ended: [], moved: [], removed: [], extended: [], added: [] }
const times = (spans: readonly { role_no: string | null; from: number; to: number | null }[]) => spans.map(({ role_no, from, to }) => [role_no, from, to])

test('a role that the kept person does not hold goes on for him from now, and not before', () => {
  const plan = planMerge([], [held('m', 10, null)], now)
  expect([plan.ended, times(plan.added), plan.extended]).toEqual([['m'], [[null, now, null]], []])
})

test('one that has not begun becomes his as it is', () => {
  expect(planMerge([], [held('m', 200, 300)], now)).toEqual({ ...nothing, moved: ['m'] })
})

test.each<[string, [number, number | null], [number, number | null], [string, number, number | null][]]>([
  ['what lasts longer counts', [10, 150], [20, 180], [['k', 10, 180]]],
  ['open counts as longest', [10, 150], [20, null], [['k', 10, null]]],
  ['what is covered changes nothing', [10, null], [20, 180], []],
  ['one that begins later begins now', [120, 150], [20, 180], [['k', now, 180]]],
  ['one that ends when the other begins is no overlap', [180, null], [20, 180], []],
])('overlaps collapse: %s', (_name, [from, to], [other_from, other_to], extended) => {
  const plan = planMerge([held('k', from, to)], [held('m', other_from, other_to)], now)
  expect([plan.ended, times(plan.extended)]).toEqual([['m'], extended])
})

test('one over several of the kept person leaves one of them', () => {
  const plan = planMerge([held('a', 10, 150), held('b', 170, 190), held('c', 300, null)], [held('m', 20, 200)], now)
  expect([times(plan.extended), plan.removed, plan.added]).toEqual([[['a', 10, 200]], ['b'], []])
})

test('one to come that is covered vanishes', () => {
  expect(planMerge([held('k', 10, null)], [held('m', 200, 300)], now)).toEqual({ ...nothing, removed: ['m'] })
})

test('another department or role is no overlap', () => {
  const plan = planMerge([held('k', 10, null)], [held('m', 10, null, { user_dep: '7' }), held('n', 10, null, { role_id: 's' })], now)
  expect([plan.added.map(span => [span.role_id, span.user_dep]), plan.extended]).toEqual([[['r', '7'], ['s', '1']], []])
})

test('own departments of both are worked over; who has his role’s keeps them', () => {
  const scoped = planMerge([held('k', 10, null, { scope_ids: ['1'] })], [held('m', 10, null, { scope_ids: ['1', '2'] })], now)
  expect(scoped.extended.map(span => span.scope_ids)).toEqual([['1', '2']])
  expect(planMerge([held('k', 10, null)], [held('m', 10, null, { scope_ids: ['2'] })], now).extended).toEqual([])
})

test('what is held on behalf of somebody stays so, and is no overlap with what one holds oneself', () => {
  const plan = planMerge([held('k', 10, null)], [held('m', 10, 200, { acted_for: '9' })], now)
  expect([plan.added.map(span => [span.acted_for, span.to]), plan.extended]).toEqual([[['9', 200]], []])
  const twice = planMerge([held('k', 10, 150, { acted_for: '9' })], [held('m', 10, 200, { acted_for: '9' })], now)
  expect([times(twice.extended), twice.added]).toEqual([[['k', 10, 200]], []])
})
