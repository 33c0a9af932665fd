import { describe, expect, test } from 'vitest'
import { nextInWindow } from './window.ts'

const at = (time: string) => new Date(`2026-11-23T${time}:00+08:00`)
const text = (date: Date) => new Date(date.getTime() + 8 * 3_600_000).toISOString().slice(0, 16)

describe('the nightly hours', () => {
  test.each([
    ['00:30', '01:00', '05:00', '2026-11-23T01:00'],
    ['01:00', '01:00', '05:00', '2026-11-23T01:00'],
    ['03:20', '01:00', '05:00', '2026-11-23T03:20'],
    ['05:00', '01:00', '05:00', '2026-11-24T01:00'],
    ['23:59', '01:00', '05:00', '2026-11-24T01:00'],
    ['22:59', '23:00', '02:00', '2026-11-23T23:00'],
    ['01:30', '23:00', '02:00', '2026-11-23T01:30'],
    ['02:00', '23:00', '02:00', '2026-11-23T23:00'],
  ])('at %s with %s to %s begins at %s', (now, from, to, expected) => {
    expect(text(nextInWindow(at(now), { from, to }))).toBe(expected)
  })
})
