import { expect, test } from 'vitest'
import { holdText, storeText, storeTone } from './delete-words.ts'

const now = Date.parse('2026-11-23T00:00:00Z')
const hold = (hours: number) => holdText({ state: 'holding', hold_until: new Date(now + hours * 3_600_000).toISOString() }, now)

test('the time left of a batch is told in days and hours', () => {
  expect([hold(147), hold(144), hold(3), hold(0.5), hold(-1)]).toEqual(['还剩 6 天 3 小时', '还剩 6 天', '还剩 3 小时', '还剩 1 小时', '即将开始删除'])
  expect(holdText({ state: 'finished', hold_until: new Date(now).toISOString() }, now)).toBeUndefined()
})

test('a store that is late says so in words', () => {
  const store = { store: 'terminal:1', title: '南门-3', action: 'deleted' as const, is_late: false, state: 'waiting' as const }
  expect([storeText(store), storeTone(store)]).toEqual(['南门-3：等待确认', 'waiting'])
  expect([storeText({ ...store, is_late: true }), storeTone({ ...store, is_late: true })]).toEqual(['南门-3：等待确认（已超时）', 'late'])
  expect(storeText({ ...store, state: 'acked', action: 'kept' })).toBe('南门-3：依法保留')
})
