import { dataOf } from '@apps/server/testing'
import { commandApi } from '@campus/devices/contract'
import { vf105Driver } from '@kit/terminal-protocol/vf105'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { declareGrants, declareSubjects } from '../sync/declare.ts'
import { readTarget } from '../sync/facts.queries.ts'
import { limitsOf } from '../sync/limits.ts'
import { grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { followLimits, probeDevice } from './probe.service.ts'

let d: DevicesTest
beforeAll(async () => {
  d = await startDevices()
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

test('31-A26 a probe of a terminal that takes 50 rows and 256 KB makes those the limits of its model, and the planner obeys', async () => {
  const { device_id, place_id, terminal } = await d.aVf105({ device_sn: 'PR1' })
  Object.assign(terminal.device.quirks, { rows_per_command: 50, photo_kb: 256 })
  const { model_code, limits, sentence } = await probeDevice(d.app.running.database, 'PR1', () => d.app.clock.now())
  expect({ model_code, limits }).toMatchObject({ model_code: 'VF105', limits: { rows_per_command: 50, photo_max_bytes: 262_144, max_persons: 20_000 } })
  expect(sentence).toMatch(/^共询问14次：每次50行，照片256KB/u)
  expect(limits).not.toHaveProperty('loses_hash')
  expect([terminal.store.users.size, terminal.store.keys.size, terminal.store.permissions.size]).toEqual([0, 0, 0])
  expect(dataOf(commandApi.list, await d.app.call(commandApi.list, { id: device_id }, { token: d.me.token })).list).toMatchObject([{ command: 'probe', state: 'SUCCESSFUL', reply_text: sentence }])

  expect(await followLimits(d.app.running.database, d.school_id, model_code, d.app.clock.now())).toBe(1)
  const users = Array.from({ length: 101 }, (_, n) => String(7300 + n))
  await d.declare(async by => {
    await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
    await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
  })
  terminal.device.trace.length = 0
  await expect.poll(() => terminal.store.users.size).toBe(101)
  expect(terminal.device.trace.flatMap(({ action, data }) => (action === 'insertUser' && Array.isArray(data) ? [data.length] : []))).toEqual([50, 50, 1])
  expect((await d.tenant(db => readTarget(db, d.school_id, device_id, d.app.clock.now())))?.bounds.photo_max_bytes).toBe(262_144)
  expect(await d.tenant(db => limitsOf({ db, school_id: d.school_id, device_id }, vf105Driver))).toMatchObject({ rows_per_command: 50, photo_bytes: 262_144 })
})

test('nothing is asked of a device that is not there, or of nobody', async () => {
  await d.aDevice({ device_sn: 'PR2', model_code: 'VF105' })
  await expect(probeDevice(d.app.running.database, 'PR2', () => d.app.clock.now())).rejects.toMatchObject({ failure: { id: 'devices.deviceOffline' } })
  await expect(probeDevice(d.app.running.database, 'PR9', () => d.app.clock.now())).rejects.toThrow('no device has the serial number PR9')
})
