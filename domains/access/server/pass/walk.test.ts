import { describe, expect, test } from 'vitest'
import { walk } from './walk.ts'
import type { Presence, Record } from './walk.ts'

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 10, 20, 0, minute, second))
const record = (key: string, minute: number, more: Partial<Record> = {}): Record => {
  const is_at = at(minute)
  return { key, subject: '1/7', at: is_at, received_at: is_at, place_id: '9', is_perimeter: true, direction: 1, is_accepted: true, result: 1, device_id: '5', ...more }
}
const inside: Presence = { state: 1, basis: 1, since: at(5), place_id: '9', pass_key: 'k' }
const from = (presence: Presence | null) => new Map(presence ? [['1/7', presence]] : [])

describe('passes in their order', () => {
  test('35-R27 a door with two ways: in for who is not inside, out for who is', () => {
    const door = { direction: 0 as const }
    const { walked } = walk([record('b', 20, door), record('a', 10, door), record('c', 30, door)], from(null), [])
    expect(['a', 'b', 'c'].map(key => walked.get(key)?.direction)).toEqual([1, 2, 1])
  })

  test('35-R34 gates move presence, inner doors only show that somebody is inside', () => {
    expect(walk([record('a', 10)], from(null), []).moved.get('1/7')).toMatchObject({ state: 1, basis: 1, pass_key: 'a' })
    expect(walk([record('a', 10, { direction: 2 })], from(inside), []).moved.get('1/7')).toMatchObject({ state: 2, basis: 1 })
    expect(walk([record('a', 10, { is_perimeter: false })], from(null), []).moved.get('1/7')).toMatchObject({ state: 1, basis: 2 })
    expect(walk([record('a', 10, { is_perimeter: false })], from(inside), []).moved.size).toBe(0)
    expect(walk([record('a', 10, { is_accepted: false, result: 2 })], from(null), []).moved.size).toBe(0)
  })

  test('35-A19 what comes late is marked and does not move somebody who was seen since', () => {
    const late = record('a', 1, { direction: 2, received_at: at(200) })
    const { walked, moved } = walk([late], from(inside), [])
    expect([walked.get('a')?.is_late, moved.size]).toEqual([true, 0])
  })

  test('35-R28 the same door within ten seconds counts once, across pieces too', () => {
    const again = { ...record('b', 10), at: at(10, 8), received_at: at(10, 8) }
    const other = { ...record('c', 10), at: at(10, 9), received_at: at(10, 9), result: 2, is_accepted: false }
    const { walked } = walk([record('a', 10), again, other], from(null), [])
    expect(['a', 'b', 'c'].map(key => walked.get(key)?.is_repeat)).toEqual([false, true, false])
    expect(walk([again], from(null), [{ same: '1/7/5/1', at: at(10) }]).walked.get('b')?.is_repeat).toBe(true)
  })

  test('35-A12 a time that nobody can believe moves nothing', () => {
    const { walked, moved } = walk([record('a', 10, { at: null })], from(null), [])
    expect([walked.get('a'), moved.size]).toEqual([{ direction: 1, is_repeat: false, is_late: false }, 0])
  })
})
