import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { grantRole } from '@campus/identity/server'
import { inboxApi } from '@campus/messages/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { raiseOfflineAlarms } from '../event/offline-alarm.ts'
import { declareGrants, declareSubjects } from '../sync/declare.ts'

const school_id = test_schools.a
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let admin: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.sync.view'], places: 'all' })
  admin = await app.as({ school_id, codes: [] })
  await app.running.database.tenant<unknown, unknown>(school_id, async db => {
    const { rows } = await sql<{ role_id: string }>`select role_id from role where school_id = ${school_id} and code = 'SYS001_SchoolAdmin'`.execute(db)
    return grantRole(db, school_id, rows.map(({ role_id }) => ({ role_id, user_id: admin.user_id, valid_from: app.clock.now() })))
  })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const lines = async () => dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: admin.token })).list
const titles = async () => (await lines()).map(line => line.title)

async function aPlace() {
  made += 1
  return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `通知门${made}`, place_kind: 9 }, { token: me.token })).place.place_id
}

async function online(place_id: string, model_code = 'JD-F10') {
  made += 1
  const draft = { device_sn: `T${made}`, device_name: `通知终端${made}`, device_type: '01' as const, model_code, place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  await terminal.start()
  await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token: me.token })).device.device_state).toBe('1')
  return { device_id: device.device_id, device_name: draft.device_name, terminal }
}

test('a fire is told at once to who looks after the school, once', async () => {
  const { device_name, terminal } = await online(await aPlace())
  terminal.tell('alarm', { kind: 'fire', value: 1 })
  await expect.poll(titles).toContain(`消防报警：${device_name}`)
  const [line] = (await lines()).filter(one => one.title.includes(device_name))
  expect([line?.level, line?.body]).toEqual([3, expect.stringMatching(new RegExp(`^“${device_name}”（.*/通知门\\d+）于.*报警：消防报警。请立即到现场确认。$`, 'u'))])
  terminal.beat()
  await expect.poll(async () => (await titles()).filter(title => title.includes(device_name)).length).toBe(1)
})

test('devices that fall silent together are one message', async () => {
  const place_id = await aPlace()
  const [one, two] = [await online(place_id), await online(place_id)]
  await Promise.all(terminals.splice(0).map(terminal => terminal.stop()))
  const offline = async () => dataOf(deviceApi.list, await app.call(deviceApi.list, { place_id, device_state: '0' }, { token: me.token })).total
  await expect.poll(offline).toBe(2)
  const later = new Date(app.clock.now().getTime() + 11 * 60_000)
  await tenant(db => raiseOfflineAlarms({ app: app.running.app, db, school_id, now: later }, new Date(0)))
  const told = (await titles()).filter(title => title.startsWith('设备离线：'))
  expect(told).toHaveLength(1)
  expect([told[0]?.includes(one.device_name), told[0]?.includes(two.device_name)]).toEqual([true, true])
})

test('30-A11 of 1,200 people whom a device of 1,000 is to hold 200 are blocked by name, and somebody is told', async () => {
  await tenant(db => sql`insert into device_model (model_code, model_name, device_type, driver, capabilities, limits, limits_source, firmware_kinds) select 'SMALL', '小容量终端', device_type, driver, capabilities, limits || '{"max_persons": 1000}', 'measured', firmware_kinds from device_model where model_code = 'JD-F10' on conflict do nothing`.execute(db))
  const place_id = await aPlace()
  const { device_id, device_name, terminal } = await online(place_id, 'SMALL')
  const to = new Date(app.clock.now().getTime() + 90 * 86_400_000)
  const user = (n: number) => String(80_000 + n)
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    const all = Array.from({ length: 1200 }, (_, n) => n)
    await declareSubjects(by, all.map(n => ({ user_id: user(n), person_kind: 1, user_no: `N${n}`, user_name: `容量学生${n}`, dept_name: null, live: true })))
    await declareGrants(by, all.map(n => ({ user_id: user(n), place_id, direction: 3 as const, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `capacity ${n}`, version: 1, expires_at: to })))
  })
  await expect.poll(() => terminal.store.held('person').size, { timeout: 20_000 }).toBe(1000)
  const blocked = dataOf(syncApi.state_rows, await app.call(syncApi.state_rows, { id: device_id, kind: 'person', state: 'blocked' }, { token: me.token }))
  expect([blocked.total, blocked.list[0]?.user_name]).toEqual([200, expect.stringMatching(/^容量学生1\d{3}$/u)])
  await expect.poll(titles).toContain(`设备容量不足：${device_name}`)
  const [line] = (await lines()).filter(one => one.title === `设备容量不足：${device_name}`)
  expect(line?.body).toMatch(/最多保存1000人，有200人没有下发，暂时不能在这里通行：容量学生1000、容量学生1001、容量学生1002、容量学生1003等。/u)
})
