import { describe, expect, test } from 'vitest'
import { paceOf, secondsLeft } from './eta.ts'

const pace = { rows_done: 50, spent_ms: 5000 }
const idle = { under_way: 0, since_ms: 0 }

describe('30-A10 the time that is left', () => {
  test.each([
    ['nothing waits', [], 0],
    ['each kind goes by its own pace', [{ rows: 100, ...idle, pace }, { rows: 200, ...idle, pace: { rows_done: 100, spent_ms: 1000 } }], 12],
    ['what has passed of the command under way is over', [{ rows: 100, under_way: 50, since_ms: 3000, pace }], 7],
    ['a command that takes longer than it should is about to end', [{ rows: 100, under_way: 50, since_ms: 60_000, pace }], 5],
    ['a clock that is behind takes nothing off', [{ rows: 100, under_way: 50, since_ms: -3000, pace }], 10],
    ['nobody knows of a pace that was never seen', [{ rows: 1, ...idle, pace }, { rows: 1, ...idle, pace: null }], null],
  ])('%s', (_, waiting, left) => {
    expect(secondsLeft(waiting)).toBe(left)
  })

  test.each([
    ['one row after the other', [1, 1, 1].map(rows => ({ rows, spent_ms: 200 })), 200],
    ['few and many count by their rows', [{ rows: 10, spent_ms: 1000 }, { rows: 50, spent_ms: 5000 }], 100],
    ['less than a millisecond', [{ rows: 300, spent_ms: 30 }], 0.1],
  ])('a pace is that of the commands: %s', (_, taken, row_ms) => {
    const { rows_done, spent_ms } = paceOf(taken)
    expect(spent_ms / rows_done).toBeCloseTo(row_ms, 1)
  })

  test.each([
    ['all alike', () => 5000],
    ['slow while photographs are being judged', (at: number) => (at < 2 ? 7500 : 5000)],
    ['quicker and quicker, as others are done', (at: number) => 6000 - at * 100],
    ['now slower, now quicker', (at: number) => (at % 2 === 0 ? 6000 : 4000)],
    ['slower in the middle, when others begin', (at: number) => (at >= 6 && at < 12 ? 6500 : 5000)],
  ])('of a thousand faces, from a tenth to nine tenths, is off by less than a quarter, in the middle: %s', (_, commandMs: (at: number) => number) => {
    const commands = Array.from({ length: 20 }, (__, at) => ({ rows: 50, spent_ms: commandMs(at) }))
    const errors = [0.1, 0.5, 0.9].flatMap(part => Array.from({ length: 16 }, (__, n) => n + 2).map(done => {
      const [current, ...later] = commands.slice(done)
      const since_ms = (current?.spent_ms ?? 0) * part
      const left_ms = (current?.spent_ms ?? 0) - since_ms + later.reduce((sum, one) => sum + one.spent_ms, 0)
      const told = secondsLeft([{ rows: 50 * (commands.length - done), under_way: 50, since_ms, pace: paceOf(commands.slice(0, done)) }]) ?? 0
      return Math.abs(told * 1000 - left_ms) / left_ms
    })).toSorted((a, b) => a - b)
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.25)
    expect(errors.at(-1)).toBeLessThan(0.55)
  })
})
