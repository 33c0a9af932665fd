import { describe, expect, test } from 'vitest'
import { planLog } from './audit-plan.ts'

const lines = planLog('seed', '2026-11-20')
const hourOf = (at: Date) => (at.getUTCHours() + 8) % 24

describe('the planned log', () => {
  test('is the same for the same seed and day, and another for another seed', () => {
    expect(planLog('seed', '2026-11-20')).toEqual(lines)
    expect(planLog('other', '2026-11-20')).not.toEqual(lines)
  })
  test('has 9,000 lines over ninety days, in their order', () => {
    expect(lines).toHaveLength(9000)
    expect(lines.every((line, at) => at === 0 || (lines[at - 1]?.at ?? line.at) <= line.at)).toBe(true)
    expect([lines[0], lines.at(-1)].map(line => new Date((line?.at.getTime() ?? 0) + 8 * 3_600_000).toISOString().slice(0, 10))).toEqual(['2026-08-22', '2026-11-19'])
  })
  test('is busy on weekdays by day, with two of a hundred refused', () => {
    const weekend = lines.filter(({ at }) => [0, 6].includes(new Date(at.getTime() + 8 * 3_600_000).getUTCDay())).length
    const by_day = lines.filter(({ at }) => hourOf(at) >= 7 && hourOf(at) < 18).length
    const refused = lines.filter(line => line.refusal !== 'none' && line.ip.startsWith('10.')).length
    expect(weekend / lines.length).toBeLessThan(0.1)
    expect(by_day / lines.length).toBeGreaterThan(0.85)
    expect(refused / lines.length).toBeGreaterThan(0.012)
    expect(refused / lines.length).toBeLessThan(0.028)
  })
  test('has one night on which somebody tried passwords', () => {
    const night = lines.filter(({ at }) => hourOf(at) < 6)
    expect(new Set(night.map(line => line.ip))).toEqual(new Set(['203.0.113.45']))
    expect(night).toHaveLength(48)
    expect(night.every(line => line.kind === 'login' && line.refusal === 'password')).toBe(true)
  })
})
