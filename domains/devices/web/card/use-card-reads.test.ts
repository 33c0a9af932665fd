import type { CardRead } from '@campus/devices/contract'
import { expect, test } from 'vitest'
import { merged, uncounted, withTimes } from './use-card-reads.ts'

const read = (n: number, more: Partial<CardRead> = {}): CardRead => ({
  read_id: `r${n}`, at: new Date(Date.UTC(2026, 10, 20, 0, 0, n)).toISOString(), is_time_sure: true, device_id: '1', device_name: '南门', place_id: null, node_path_name: null, then_name: null, direction: null, user_id: null, user_name: null, dept_name: null,
  verify_mode: 2, pass_state: 1, code_masked: null, ...more,
})

test('readings stand newest first, each once, and no more than sixty', () => {
  const before = Array.from({ length: 60 }, (_, n) => read(n))
  const all = merged([read(61), read(59), read(60)], before)
  expect([all.length, all[0]?.read_id, all[2]?.read_id, all.filter(one => one.read_id === 'r59').length, all.at(-1)?.read_id]).toEqual([60, 'r61', 'r59', 1, 'r2'])
})

test('one that came late stands where it belongs', () => {
  expect(merged([read(2)], [read(3), read(1)]).map(one => one.read_id)).toEqual(['r3', 'r2', 'r1'])
})

test('what was told and stands in the list that was asked for afterwards is counted once', () => {
  const times = withTimes(new Map(), [read(1), read(2), read(2), read(3)], Date.parse(read(4).at))
  expect(uncounted(times, []).length).toBe(3)
  expect(uncounted(times, [read(2), read(1)])).toEqual([Date.parse(read(3).at)])
})

test('a list that is full has counted whatever is older than its last line', () => {
  const list = Array.from({ length: 60 }, (_, n) => read(100 + n))
  const times = withTimes(new Map(), [read(99), read(130), read(170)], Date.parse(read(171).at))
  expect(uncounted(times, list)).toEqual([Date.parse(read(170).at)])
})

test('the curve lets go of what is older than half an hour', () => {
  expect(withTimes(new Map([['old', 0]]), [read(1)], Date.parse(read(2).at)).size).toBe(1)
})
