import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { Vf105Terminal } from '@apps/terminal'
import { commandApi, deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { vf105Driver } from '@kit/terminal-protocol/vf105'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { declareGrants, declareSubjects } from '../sync/declare.ts'
import { readTarget } from '../sync/facts.queries.ts'
import { limitsOf } from '../sync/limits.ts'
import { followLimits, probeDevice } from './probe.service.ts'

const school_id = test_schools.a
let app: TestApp
let me: TestUser
let port: number
let place_id: string

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit'], places: 'all' })
  const campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  place_id = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: '测定门', place_kind: 9 }, { token: me.token })).place.place_id
})
afterAll(() => app.close())

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)

async function aTerminal(device_sn: string) {
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn, device_name: `终端${device_sn}`, device_type: '01', model_code: 'VF105', place_id }, { token: me.token }))
  return { device_id: device.device_id, terminal: new Vf105Terminal({ url: `mqtt://127.0.0.1:${port}`, sn: device_sn, secret: setup?.secret ?? '' }) }
}

test('31-A26 a probe of a terminal that takes 50 rows and 256 KB makes those the limits of its model, and the planner obeys', async () => {
  const { device_id, terminal } = await aTerminal('PR1')
  Object.assign(terminal.device.quirks, { rows_per_command: 50, photo_kb: 256 })
  await terminal.start()
  await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device_id }, { token: me.token })).device.device_state).toBe('1')
  const { model_code, limits, sentence } = await probeDevice(app.running.database, 'PR1', () => app.clock.now())
  expect({ model_code, limits }).toMatchObject({ model_code: 'VF105', limits: { rows_per_command: 50, photo_max_bytes: 262_144, max_persons: 20_000 } })
  expect(sentence).toMatch(/^共询问14次：每次50行，照片256KB/u)
  expect(limits).not.toHaveProperty('loses_hash')
  expect([terminal.store.users.size, terminal.store.keys.size, terminal.store.permissions.size]).toEqual([0, 0, 0])
  expect(dataOf(commandApi.list, await app.call(commandApi.list, { id: device_id }, { token: me.token })).list).toMatchObject([{ command: 'probe', state: 'SUCCESSFUL', reply_text: sentence }])

  expect(await followLimits(app.running.database, school_id, model_code, app.clock.now())).toBe(1)
  const to = new Date(app.clock.now().getTime() + 90 * 86_400_000)
  const users = Array.from({ length: 101 }, (_, n) => String(7300 + n))
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    await declareSubjects(by, users.map(user_id => ({ user_id, person_kind: 1, user_no: `P${user_id}`, user_name: `学生${user_id}`, dept_name: null, live: true })))
    await declareGrants(by, users.map(user_id => ({ user_id, place_id, direction: 3 as const, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `grant ${user_id}`, version: 1, expires_at: to })))
  })
  terminal.device.trace.length = 0
  await expect.poll(() => terminal.store.users.size).toBe(101)
  expect(terminal.device.trace.flatMap(({ action, data }) => (action === 'insertUser' && Array.isArray(data) ? [data.length] : []))).toEqual([50, 50, 1])
  expect((await tenant(db => readTarget(db, school_id, device_id, app.clock.now())))?.bounds.photo_max_bytes).toBe(262_144)
  expect(await tenant(db => limitsOf({ db, school_id, device_id }, vf105Driver))).toMatchObject({ rows_per_command: 50, photo_bytes: 262_144 })
  await terminal.stop()
})

test('nothing is asked of a device that is not there, or of nobody', async () => {
  await aTerminal('PR2')
  await expect(probeDevice(app.running.database, 'PR2', () => app.clock.now())).rejects.toMatchObject({ failure: { id: 'devices.deviceOffline' } })
  await expect(probeDevice(app.running.database, 'PR9', () => app.clock.now())).rejects.toThrow('no device has the serial number PR9')
})
