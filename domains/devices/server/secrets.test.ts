import { connectDevice, dataOf, openLive, sheetLines, startTestApp, tapWire, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser, WireTap } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { cameraApi, deviceApi, passwordApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { createLog } from '@kit/server/log'
import { sql } from 'kysely'
import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from './db.ts'
import { declareCredentials, declareGrants, declareSubjects } from './sync/declare.ts'

const { a: school_id } = test_schools
const day_ms = 86_400_000
const typed = { console: '71930284', recognition: '918273', wifi: 'wifi-key-of-the-gate', stream: 'stream-secret-7', rtsp: 'rtsp://viewer:stream-secret-7@10.0.0.8/1' }
const opened: (() => unknown)[] = []
const log: string[] = []
let app: TestApp
let me: TestUser
let tap: WireTap
let place_id: string

beforeAll(async () => {
  app = await startTestApp()
  app.running.app.log = createLog('debug', new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString())
      done()
    },
  }))
  tap = await tapWire(await app.running.listenToDevices())
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  place_id = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(opened.splice(0).map(end => end())))
afterAll(async () => {
  tap.close()
  await app.close()
})

const as = () => ({ token: me.token })
const tenant = <R>(work: (db: Db) => Promise<R>, school = school_id) => app.running.database.tenant(school, work)

async function aDevice(device_sn: string, model_code = 'JD-F10', stands_at: string | null = place_id) {
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn, device_name: device_sn, device_type: '01', model_code, place_id: stands_at }, as()))
  return { device, sn: device_sn, secret: setup?.secret ?? '' }
}

/** Tables in which a text stands, whatever the column, in clear or as bytes. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await tenant(db => sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db))
  const sought = texts.flatMap(text => [text, Buffer.from(text).toString('hex')])
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await tenant(db => sql<{ text: string }>`select w.text from ${sql.table(name)} t, unnest(${sought}::text[]) w(text) where strpos(t::text, w.text) > 0 limit 1`.execute(db))
    found.push(...rows.map(row => `${name}: ${row.text}`))
  }
  return found
}

async function exported(): Promise<string> {
  return (await sheetLines(await app.call(deviceApi.export, {}, as()))).map(line => line.join(' ')).join('\n')
}

test('30-A34 31-A14 after a day with secrets of all kinds none stands in database, journals, dead letters, logs, exports or what others are told', async () => {
  const [ours, theirs, neighbour] = [await aDevice('SEC1'), await aDevice('SEC2', 'VF105'), await aDevice('SEC3', 'JD-F10', null)]
  const fresh = dataOf(deviceApi.secret, await app.call(deviceApi.secret, { device_id: ours.device.device_id, row_version: ours.device.row_version }, as())).setup.secret
  const { codes: [code = ''] } = dataOf(deviceApi.enrol_code, await app.call(deviceApi.enrol_code, { count: 1, expires_min: 60 }, as()))
  expect((await app.call(cameraApi.create, { device_sn: 'SEC4', device_name: 'SEC4', place_id, stream_url: typed.rtsp }, as())).status).toBe(200)
  const { bystander, terminal, vf105, live } = await everybody({ ours: { sn: ours.sn, secret: fresh }, theirs, neighbour })
  expect((await app.call(passwordApi.set, { device_ids: [ours.device.device_id, theirs.device.device_id], password: typed.console }, as())).status).toBe(200)
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    const to = new Date(Math.floor(app.clock.now().getTime() / day_ms + 90) * day_ms)
    await declareSubjects(by, [{ user_id: '7001', person_kind: 1, user_no: 'N1', user_name: '学生1', dept_name: '一年级1班', live: true }])
    await declareCredentials(by, [{ user_id: '7001', cred_kind: 'password', code: typed.recognition, usable: true, source: 'cards', source_ref: 'password 1', version: 1 }])
    await declareGrants(by, [{ user_id: '7001', place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: 'grant 1', version: 1, expires_at: to }])
  })
  await expect.poll(() => terminal.store.held('config').get('password')?.body?.values).toEqual({ password: typed.console })
  await expect.poll(() => [...vf105.store.keys.values()].map(key => key.code)).toEqual([typed.recognition])
  vf105.device.present('400', typed.recognition)
  vf105.device.present('400', `${typed.recognition}0`)
  // What nobody understands is kept, and may hold anything.
  await bystander.mqtt.publishAsync('jdev/SEC3/up/state', `{"v":1,"password":"${typed.console}","secret":"${neighbour.secret}"`, { qos: 1 })
  await expect(connectDevice(tap.port, { sn: ours.sn, secret: 'guessed' })).rejects.toThrow('refused')
  await expect(connectDevice(tap.port, { sn: 'SEC5', secret: code })).resolves.toBeDefined()
  await expect.poll(async () => (await tenant(db => sql`select from pass_event where school_id = ${school_id}`.execute(db))).rows.length).toBe(2)
  await expect.poll(async () => (await tenant(db => sql`select from dead_letter where school_id = ${school_id}`.execute(db))).rows.length).toBeGreaterThan(0)

  const secrets = [ours.secret, fresh, theirs.secret, neighbour.secret, code, typed.console, typed.recognition, typed.wifi, typed.stream]
  expect(secrets.filter(text => text.length < 6)).toEqual([])
  expect(await tablesWith(secrets)).toEqual([])
  const frames = JSON.stringify([bystander.told, live.frames])
  for (const [where, text] of [['log', log.join('')], ['export', await exported()], ['frames', frames]] as const) expect(secrets.filter(secret => text.includes(secret)), where).toEqual([])
  // A secret goes over the wire when its device shows it, and never again.
  const said = tap.packets.filter(packet => packet.kind === 3 && packet.from === 'broker').map(packet => packet.body.toString('latin1')).join('\n')
  expect([ours.secret, fresh, theirs.secret, neighbour.secret, code, typed.wifi, typed.stream].filter(secret => said.includes(secret))).toEqual([])
})

type Shown = { sn: string; secret: string }

/** All of them come in: a terminal of ours, a VF105 that tells its network's key, a neighbour, and an open console. */
async function everybody({ ours, theirs, neighbour }: Record<'ours' | 'theirs' | 'neighbour', Shown>) {
  const url = `mqtt://127.0.0.1:${tap.port}`
  const [terminal, vf105] = [new JdevTerminal({ url, sn: ours.sn, secret: ours.secret }), new Vf105Terminal({ url, sn: theirs.sn, secret: theirs.secret })]
  Object.assign(vf105.store.config.net ?? {}, { psk: typed.wifi })
  opened.push(() => terminal.stop(), () => vf105.stop())
  await Promise.all([terminal.start(), vf105.start()])
  const bystander = await connectDevice(tap.port, { sn: neighbour.sn, secret: neighbour.secret })
  const live = await openLive(app.url, me.token, ['devices:state'])
  opened.push(() => bystander.close(), () => live.close())
  await bystander.say('up/hello', 'hello', { sn: neighbour.sn, model: 'JD-F10', store_id: 'store' })
  await expect.poll(() => bystander.told.some(({ topic }) => topic.endsWith('/hello'))).toBe(true)
  return { bystander, terminal, vf105, live }
}
