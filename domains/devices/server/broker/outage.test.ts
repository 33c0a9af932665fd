import { connectDevice, dataOf, exportTo, outsideSetting, sampleMosquitto, startTestApp, test_schools, test_settings } from '@apps/server/testing'
import type { Mosquitto, TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { brokerApi, deviceApi } from '@campus/devices/contract'
import { grantRole } from '@campus/identity/server'
import { inboxApi } from '@campus/messages/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { endConfirming, endSilent } from '../link/outage.ts'
import { sessionsPort } from '../link/sessions.ts'
import { declareGrants, declareSubjects } from '../sync/declare.ts'

const { a: school_id } = test_schools
const day_ms = 86_400_000
const opened: { stop(): Promise<unknown> }[] = []
let mosquitto: Mosquitto
let app: TestApp
let me: TestUser
let admin: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  mosquitto = await sampleMosquitto()
  app = await startTestApp({ settings: outsideSetting(mosquitto) })
  await exportTo(mosquitto, app)
  await mosquitto.start()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit'], places: 'all' })
  admin = await app.as({ school_id, codes: [] })
  await tenant(async db => {
    const { rows } = await sql<{ role_id: string }>`select role_id from role where school_id = ${school_id} and code = 'SYS001_SchoolAdmin'`.execute(db)
    return grantRole(db, school_id, rows.map(({ role_id }) => ({ role_id, user_id: admin.user_id, valid_from: app.clock.now() })))
  })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(opened.splice(0).map(one => one.stop())))
afterAll(async () => {
  await app?.close()
  await mosquitto?.remove()
})

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const sessions = () => sessionsPort.one(app.running.app)
const detail = async (id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id }, { token: me.token }))
const seen = async (ids: readonly string[]) => (await Promise.all(ids.map(detail))).map(({ device }) => [device.device_state, device.confirming_since !== null])
const titles = async () => dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: admin.token })).list.map(line => line.title)

/** Registered devices at one door, known to the broker. */
async function gates(count: number) {
  made += 1
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `门${made}`, place_kind: 9 }, { token: me.token }))
  const known: { device_id: string; sn: string; secret: string }[] = []
  for (let n = 0; n < count; n += 1) {
    const draft = { device_sn: `O${made}-${n}`, device_name: `终端${made}-${n}`, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
    const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
    known.push({ device_id: device.device_id, sn: device.device_sn, secret: setup?.secret ?? '' })
  }
  await exportTo(mosquitto, app)
  return { place_id: place.place_id, known }
}

async function admit(user_id: string, user_name: string, place_id: string): Promise<void> {
  const now = app.clock.now()
  const expires_at = new Date(Math.floor(now.getTime() / day_ms + 90) * day_ms)
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now }
    await declareSubjects(by, [{ user_id, person_kind: 1, user_no: `N${user_id}`, user_name, dept_name: '一年级1班', live: true }])
    await declareGrants(by, [{ user_id, place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: expires_at.toISOString() }], source: 'access', source_ref: `grant ${user_id}`, version: 1, expires_at }])
  })
}

test('30-A2 the broker is killed: one message and none of devices, 确认中 meanwhile, all back, nothing lost; what waits goes out within half a minute', async () => {
  const { place_id, known } = await gates(3)
  const ids = known.map(one => one.device_id)
  await admit('8001', '改名前', place_id)
  const terminals = known.map(one => new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, ...one }))
  opened.push(...terminals)
  await Promise.all(terminals.map(terminal => terminal.start()))
  const names = () => terminals.map(terminal => terminal.store.held('person').get('8001')?.body?.name)
  await expect.poll(names).toEqual(['改名前', '改名前', '改名前'])

  await mosquitto.kill()
  await expect.poll(() => seen(ids)).toEqual([['1', true], ['1', true], ['1', true]])
  await expect.poll(titles).toEqual(['消息服务中断'])
  for (const terminal of terminals) terminal.pass({ user_id: '8001', verify: 2, result: 1 })
  await admit('8001', '改名后', place_id)
  app.clock.advance(80_000)
  await endConfirming(sessions())
  expect(await seen(ids)).toEqual([['1', true], ['1', true], ['1', true]])

  await mosquitto.start()
  await expect.poll(() => seen(ids)).toEqual([['1', false], ['1', false], ['1', false]])
  await expect.poll(() => terminals.map(terminal => terminal.store.waiting)).toEqual([0, 0, 0])
  expect(await tenant(async db => (await sql<{ device_id: string }>`select device_id::text from pass_event where school_id = ${school_id} order by device_id`.execute(db)).rows.map(row => row.device_id))).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)))
  app.clock.advance(31_000)
  await expect.poll(names).toEqual(['改名后', '改名后', '改名后'])
  for (const id of ids) expect((await detail(id)).links.map(link => link.kind)).toEqual(['online'])
  expect(await titles()).toEqual(['消息服务中断'])
})

test('30-A2 a broker that stays away for a minute and a half leaves its devices 离线, and no alarm for each', async () => {
  const { known: [one] } = await gates(1)
  if (!one) throw new Error('no device')
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, ...one })
  opened.push(terminal)
  await terminal.start()
  await expect.poll(() => seen([one.device_id])).toEqual([['1', false]])
  await mosquitto.kill()
  await expect.poll(() => seen([one.device_id])).toEqual([['1', true]])
  app.clock.advance(91_000)
  await endConfirming(sessions())
  const { device } = await detail(one.device_id)
  expect([device.device_state, device.offline_reason, device.confirming_since]).toEqual(['0', 'broker', null])
  expect((await titles()).filter(title => title !== '消息服务中断')).toEqual([])
  await mosquitto.start()
  await expect.poll(() => seen([one.device_id])).toEqual([['1', false]])
})

test('30-A2 a terminal whose network is cut is 离线 after 100 seconds of silence, whatever its line says; a hook of the broker tells sooner', async () => {
  const { known: [silent, told] } = await gates(2)
  if (!silent || !told) throw new Error('no devices')
  for (const { sn, secret } of [silent, told]) {
    await expect.poll(async () => {
      const client = await connectDevice(port, { sn, secret }).catch(() => undefined)
      if (client) opened.push({ stop: () => client.close() })
      await client?.say('up/hello', 'hello', { sn, model: 'JD-F10', store_id: 'store' })
      return client !== undefined
    }).toBe(true)
  }
  const states = async () => (await seen([silent.device_id, told.device_id])).map(([state]) => state)
  await expect.poll(states).toEqual(['1', '1'])
  const token = test_settings['CAMPUS_MQTT_HOOK_SECRET'] ?? ''
  expect((await app.call(brokerApi.event, { event: 'client.disconnected', clientid: told.sn, reason: 'keepalive_timeout' }, { token })).status).toBe(200)
  await expect.poll(states).toEqual(['1', '0'])
  await endSilent(sessions(), performance.now() + 80_000)
  expect(await states()).toEqual(['1', '0'])
  await endSilent(sessions(), performance.now() + 101_000)
  await expect.poll(states).toEqual(['0', '0'])
  expect((await detail(silent.device_id)).device.offline_reason).toBe('keepalive')
})
