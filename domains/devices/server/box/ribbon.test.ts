import { expect, test } from 'vitest'
import { ribbonOf } from './ribbon.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
const turn = (hour: number, kind: string) => ({ at: at(hour), kind })
const day = { from: at(0), to: at(20) }

test.each([
  ['there all the time', [], true, [[0, 20]]],
  ['away all the time', [], false, []],
  ['was there, went, and came again', [turn(5, 'offline'), turn(8, 'online')], true, [[0, 5], [8, 20]]],
  ['came and went', [turn(5, 'online'), turn(8, 'offline')], false, [[5, 8]]],
  ['took over from itself', [turn(5, 'online'), turn(6, 'kicked'), turn(6, 'online'), turn(9, 'offline')], false, [[5, 9]]],
  ['told in whatever order', [turn(8, 'online'), turn(5, 'offline')], true, [[0, 5], [8, 20]]],
])('a box that %s', (_name, turns, is_online, expected) => {
  expect(ribbonOf(turns, { ...day, is_online }).map(({ from, to }) => [new Date(from).getUTCHours(), new Date(to).getUTCHours()])).toEqual(expected)
})
