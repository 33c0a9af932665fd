import { connectDevice, dataOf } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi, passwordApi } from '@campus/devices/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDevices } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'

let d: DevicesTest
let made = 0
const [minute_ms, day_ms] = [60_000, 86_400_000] as const
const stopped: (() => unknown)[] = []
const steps = ['mqtt', 'sys', 'ntp', 'base', 'access']
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.secret.view'] })
})
afterEach(async () => {
  await Promise.all(stopped.splice(0).map(stop => stop()))
  await d.stopAll()
})
afterAll(() => d.close())

const as = () => ({ token: d.me.token })
const adoption = async (device_id: string) => (await d.detail(device_id)).adoption
const states = async (device_id: string) => (await adoption(device_id))?.steps.map(one => one.state)
const alarms = (device_id: string) => d.tenant(async db => (await sql`select alarm_kind from alarm_event where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db)).rows)
const client = (sn: string) => d.app.running.database.tenant<unknown, { is_temporary: boolean; has_prior: boolean } | undefined>(0, async db => (await sql<{ is_temporary: boolean; has_prior: boolean }>`select is_temporary, prior_secret_hash is not null as has_prior from device_client where client_id = ${sn}`.execute(db)).rows[0])

/** A device that knocks with a one-time code and is claimed; it is away until it is started. */
async function claimed<T extends { start(): Promise<void>; stop(): Promise<void> }>(model_code: string, make: (way: { url: string; sn: string; secret: string }) => T) {
  made += 1
  const { codes: [code = ''] } = dataOf(deviceApi.enrol_code, await d.app.call(deviceApi.enrol_code, { count: 1, expires_min: 60 }, as()))
  const sn = `ENROL${made}`
  const terminal = make({ url: `mqtt://127.0.0.1:${d.port}`, sn, secret: code })
  stopped.push(() => terminal.stop())
  await terminal.start()
  await expect.poll(async () => dataOf(deviceApi.unclaimed, await d.app.call(deviceApi.unclaimed, {}, as())).list.map(one => one.device_sn)).toContain(sn)
  await terminal.stop()
  const { device } = dataOf(deviceApi.claim, await d.app.call(deviceApi.claim, { device_sn: sn, device_name: `认领${made}`, device_type: '01' as const, model_code, place_id: await d.aPlace() }, as()))
  return { terminal, device_id: device.device_id, sn, code }
}

test('30-§2.1 31-§5.7.1 31-A14 a VF105 that came with a one-time code becomes the school’s own by itself, each step read back: heartbeat, session, time zone, a secret and a console password that nobody has typed', async () => {
  const { terminal, device_id, sn, code } = await claimed('VF105', way => new Vf105Terminal(way))
  expect(await states(device_id)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting'])
  expect((await adoption(device_id))?.steps[0]?.sentence).toMatch(/^等设备连接后自动继续（登记码\d\d月\d\d日\d\d:\d\d失效）$/u)
  Object.assign(terminal.store.config.ntp ?? {}, { timeZone: 'Asia/Tokyo' })
  Object.assign(terminal.store.config.access ?? {}, { offlineAccessNum: 500 })
  await terminal.start()
  await expect.poll(async () => (await adoption(device_id))?.done_at, { timeout: 30_000 }).not.toBeNull()
  expect((await adoption(device_id))?.steps).toEqual(steps.map(step => ({ step, state: 'done', sentence: null })))
  const { mqtt = {}, sys = {}, ntp = {}, base = {}, access = {} } = terminal.store.config
  expect(mqtt).toMatchObject({ username: sn, prefix: `jdev/${sn}`, cleanSession: 1, qos: 1, timeout: 10, clientIdSuffix: 0 })
  expect([sys.heart_en, sys.faceImageRetention, sys.strangerImage, ntp.timeZone, access.offlineAccessNum, access.uploadToCloud]).toEqual([1, 0, 0, 'Asia/Shanghai', 2000, 0])
  // Neither password is the one of its maker, or one that a person has seen.
  expect([String(mqtt.password).length, mqtt.password === code, /^\d{8}$/u.test(String(base.password))]).toEqual([43, false, true])
  expect(dataOf(passwordApi.list, await d.app.call(passwordApi.list, { keyword: sn }, as())).list).toMatchObject([{ state: 'applied', version: 1 }])
  expect(await client(sn)).toEqual({ is_temporary: false, has_prior: false })
  expect([terminal.device.counters.restarts, await alarms(device_id)]).toEqual([1, []])
  expect(terminal.device.trace.filter(one => one.action === 'setConfig').map(one => Object.keys(Object(one.data)))).toEqual(steps.map(step => [step]))
  // The code opens nothing any more, and neither password stands anywhere in clear.
  const thief = new Vf105Terminal({ url: `mqtt://127.0.0.1:${d.port}`, sn, secret: code })
  stopped.push(() => thief.stop())
  void thief.start()
  await expect.poll(async () => (await d.detail(device_id)).links.map(link => link.kind)).toContain('refused')
  const { rows: tables } = await d.tenant(db => sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db))
  for (const { name } of tables) expect((await d.tenant(db => sql`select from ${sql.table(name)} t, unnest(${[String(mqtt.password), String(base.password)]}::text[]) w(text) where strpos(t::text, w.text) > 0 limit 1`.execute(db))).rows, name).toEqual([])
})

test('31-§5.7.1 a step that a device refuses is shown with its own words and what to do; tried again it goes on where it was', async () => {
  const { terminal, device_id } = await claimed('VF105', way => new Vf105Terminal(way))
  terminal.device.quirks.refuses = 'sys.heart_time'
  terminal.store.config.sys = { ...terminal.store.config.sys, heart_time: 60 }
  await terminal.start()
  await expect.poll(() => states(device_id), { timeout: 30_000 }).toEqual(['done', 'refused', 'waiting', 'waiting', 'waiting'])
  expect((await adoption(device_id))?.steps[1]?.sentence).toBe('设备拒绝：sys.heart_time取值不受支持。请在设备自己的管理页面上核对这些设置，或升级设备固件，再点“重试”')
  terminal.device.quirks.refuses = null
  expect((await d.app.call(deviceApi.adopt, { device_id }, as())).status).toBe(200)
  await terminal.stop()
  await terminal.start()
  await expect.poll(async () => (await adoption(device_id))?.done_at, { timeout: 30_000 }).not.toBeNull()
})

test.each([
  ['before the device has heard of it', false],
  ['when the device has done it and nobody has heard so', true],
])('31-§5.7.1 a server that is killed at every step, %s, locks no device out and goes on where it was: it knows what the database knows', async (_when, is_done) => {
  const { terminal, device_id, sn } = await claimed('VF105', way => new Vf105Terminal(way))
  Object.assign(terminal.store.config.ntp ?? {}, { timeZone: 'Asia/Tokyo' })
  Object.assign(terminal.store.config.access ?? {}, { offlineAccessNum: 500 })
  const set = terminal.device.receive.bind(terminal.device)
  const { wire } = terminal.device
  const send = wire.send.bind(wire)
  const killed: string[] = []
  let is_mute = false
  wire.send = (topic, bytes) => (is_mute ? undefined : send(topic, bytes))
  terminal.device.receive = (topic, bytes) => {
    const step = topic.endsWith('/setConfig') ? (Object.keys(Object(JSON.parse(String(bytes)).data))[0] ?? '') : ''
    const is_now = step !== '' && !killed.includes(step)
    is_mute = is_now || is_mute
    if (!is_now || is_done) set(topic, bytes)
    if (is_now) killed.push(step)
  }
  await terminal.start()
  for (const [n] of steps.entries()) {
    await expect.poll(() => killed.length, { timeout: 30_000 }).toBe(n + 1)
    // All that the process knew goes with the line.
    await terminal.stop()
    is_mute = false
    await terminal.start()
  }
  await expect.poll(async () => (await adoption(device_id))?.done_at, { timeout: 30_000 }).not.toBeNull()
  expect([killed, await client(sn)]).toEqual([steps, { is_temporary: false, has_prior: false }])
  // What it had already was read, not told again; its console's password cannot be read.
  const told = terminal.device.trace.filter(one => one.action === 'setConfig').map(one => Object.keys(Object(one.data))[0])
  expect(steps.map(step => told.filter(one => one === step).length)).toEqual([1, 1, 1, is_done ? 2 : 1, 1])
})

test('30-§2.1 31-§5.7.1 a VF105 that was registered by hand becomes the school’s own by itself at its first session, and keeps the secret that it has', async () => {
  const { terminal, device_id, way } = await d.online(shown => new Vf105Terminal(shown), { model_code: 'VF105' })
  await expect.poll(async () => (await adoption(device_id))?.done_at, { timeout: 30_000 }).toEqual(expect.any(String))
  expect([terminal.store.config.mqtt?.password, terminal.store.config.sys?.heart_en, terminal.store.config.base?.password === '123456']).toEqual([way.secret, 1, false])
})

test('31-§5.7.1 one that was here before this was so is begun when somebody says it', async () => {
  const { terminal, device_id } = await d.aVf105()
  await d.tenant(db => sql`delete from device_adoption where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  await terminal.stop()
  await terminal.start()
  expect(await adoption(device_id)).toBeNull()
  expect(dataOf(deviceApi.adopt, await d.app.call(deviceApi.adopt, { device_id }, as())).adoption.steps.map(one => one.step)).toEqual(steps)
  await terminal.stop()
  await terminal.start()
  await expect.poll(async () => (await adoption(device_id))?.done_at, { timeout: 30_000 }).not.toBeNull()
  const untouched = await d.aDevice()
  expect((await d.app.call(deviceApi.adopt, { device_id: untouched.device_id }, as())).body.error_id).toBe('devices.deviceState')
})

test('31-§1.3 a terminal of ours that is claimed gets a secret of its own by itself; its one-time code opens until that is used', async () => {
  const { terminal, device_id, sn, code } = await claimed('JD-F10', way => new JdevTerminal(way))
  expect(await client(sn)).toEqual({ is_temporary: true, has_prior: true })
  await terminal.start()
  await expect.poll(async () => (await adoption(device_id))?.done_at).not.toBeNull()
  expect([await client(sn), terminal.broker.secret === code, terminal.broker.secret.length]).toEqual([{ is_temporary: false, has_prior: false }, false, 43])
})

test('31-§1.3 a terminal that was claimed before secrets were given at the claim gets its own when it comes', async () => {
  const { terminal, device_id, sn } = await claimed('JD-F10', way => new JdevTerminal(way))
  await d.tenant(db => sql`delete from device_adoption where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  await d.app.running.database.tenant(0, db => sql`update device_client set secret_hash = prior_secret_hash, prior_secret_hash = null, prior_until = null where client_id = ${sn}`.execute(db))
  expect(await adoption(device_id)).toBeNull()
  await terminal.start()
  await expect.poll(async () => (await adoption(device_id))?.done_at).toEqual(expect.any(String))
  expect(await client(sn)).toEqual({ is_temporary: false, has_prior: false })
})

test('31-§1.3 the code of a terminal that never came for its secret opens for a day and no longer', async () => {
  const { sn, code } = await claimed('JD-F10', way => new JdevTerminal(way))
  d.app.clock.advance(day_ms - minute_ms)
  await (await connectDevice(d.port, { sn, secret: code })).close()
  d.app.clock.advance(2 * minute_ms)
  await expect(connectDevice(d.port, { sn, secret: code })).rejects.toThrow('refused')
})
