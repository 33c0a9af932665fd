import { inboxApi } from '@campus/messages/contract'
import { dataOf } from '@apps/server/testing'
import { types } from '@kit/terminal-protocol/vf105'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { declareCredentials, declareGrants, declareSubjects } from '../sync/declare.ts'
import { aSchoolAdmin, cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'

let d: DevicesTest
beforeAll(async () => {
  d = await startDevices()
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const numbers = async (device_id: string) =>
  (await d.tenant(db => sql<{ n: number }>`select split_part(device_seq, ':', 2)::int as n from pass_event where school_id = ${d.school_id} and device_id = ${device_id} order by received_at, event_time, 1`.execute(db))).rows.map(row => row.n)
const upto = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

async function aDoor() {
  const door = await d.aVf105()
  await d.declare(async by => {
    await declareSubjects(by, [subjectOf('7001')])
    await declareCredentials(by, [cardOf('7001')])
    await declareGrants(by, [grantOf('7001', door.place_id, by.now)])
  })
  await expect.poll(() => door.terminal.store.keys.size).toBe(1)
  const pass = (times = 1) => {
    for (let n = 0; n < times; n += 1) door.terminal.device.present(types.card, 'CARD7001')
  }
  return { ...door, pass }
}

test('31-A9 of 2,100 passes made off line the first 100 are overwritten and 2,000 stored, each once and in their order; whoever looks after the device is told', async () => {
  const { terminal, device_id, device_name, pass } = await aDoor()
  const admin = await aSchoolAdmin(d)
  pass()
  await expect.poll(() => numbers(device_id)).toEqual([1])
  await terminal.stop()
  pass(2100)
  expect([terminal.store.lost, terminal.store.records.length]).toEqual([100, 2000])
  await terminal.start()
  await expect.poll(async () => (await numbers(device_id)).length, { timeout: 30_000 }).toBe(2001)
  expect(await numbers(device_id)).toEqual([1, ...upto(102, 2101)])
  await expect.poll(() => terminal.store.records).toEqual([])
  expect((await d.detail(device_id)).alarms.filter(alarm => alarm.alarm_kind === 'record_lost')).toEqual([{ alarm_kind: 'record_lost', at: expect.any(String), cleared_at: null }])
  const told = dataOf(inboxApi.list, await d.app.call(inboxApi.list, {}, { token: admin.token })).list.filter(line => line.title === `离线期间记录可能被覆盖：${device_name}`)
  expect(told.map(line => line.body)).toEqual([expect.stringContaining('100条通行记录可能已经缺少')])
  // What is fetched goes on where the device itself goes on, and a short absence is no alarm.
  await terminal.stop()
  pass(3)
  await terminal.start()
  await expect.poll(() => numbers(device_id)).toEqual([1, ...upto(102, 2104)])
  expect((await d.detail(device_id)).alarms.filter(alarm => alarm.alarm_kind === 'record_lost' && alarm.cleared_at === null)).toEqual([])
  expect(terminal.is_connected).toBe(true)
})
