import type { CardRead } from '@campus/devices/contract'
import { expect, test } from 'vitest'
import { merged } from './use-card-reads.ts'

const read = (n: number, more: Partial<CardRead> = {}): CardRead => ({
  read_id: `r${n}`, at: new Date(Date.UTC(2026, 10, 20, 0, 0, n)).toISOString(), is_time_sure: true, device_id: '1', device_name: '南门', place_id: null, node_path_name: null, direction: null, user_id: null, user_name: null, dept_name: null,
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
