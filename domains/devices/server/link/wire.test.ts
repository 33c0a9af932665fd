import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectDevice, dataOf, startTestApp, tapWire, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser, WireTap } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import mqtt from 'mqtt'
import type { IClientOptions } from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { declareCredentials, declareGrants, declareSubjects } from '../sync/declare.ts'
import { cardOf, grantOf, subjectOf } from '../testing/start.ts'

const { a: school_id } = test_schools
const root = join(import.meta.dirname, '../../../..')
const [publish, subscribe, puback] = [3, 8, 4] as const
const opened: (() => unknown)[] = []
let app: TestApp
let me: TestUser
let port: number
let tap: WireTap
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  tap = await tapWire(port)
  me = await app.as({ school_id, codes: ['places.place.view', 'devices.device.view', 'devices.device.edit'], places: 'all' })
})
afterEach(() => Promise.all(opened.splice(0).map(end => end())))
afterAll(async () => {
  tap.close()
  await app.close()
})

async function aDevice(model_code = 'JD-F10') {
  made += 1
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `W${made}`, device_name: `线${made}`, device_type: '01' as const, model_code }, { token: me.token }))
  return { device_id: device.device_id, sn: device.device_sn, secret: setup?.secret ?? '' }
}
const stateOf = async (id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id }, { token: me.token })).device.device_state

/** Whether a bare client gets in, and stays for a moment. */
async function comes(options: IClientOptions): Promise<mqtt.MqttClient | null> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, protocolVersion: 4, clean: true, ...options })
  opened.push(() => client.endAsync(true))
  client.on('error', () => undefined)
  return new Promise(resolve => {
    client.once('connect', () => resolve(client))
    client.once('close', () => resolve(null))
  })
}

test('31-A21 terminals and server publish and subscribe with quality 1 alone, in both directions', async () => {
  for (const [Terminal, model] of [[JdevTerminal, 'JD-F10'], [Vf105Terminal, 'VF105']] as const) {
    const { device_id, sn, secret } = await aDevice(model)
    const terminal = new Terminal({ url: `mqtt://127.0.0.1:${tap.port}`, sn, secret })
    opened.push(() => terminal.stop())
    await terminal.start()
    await expect.poll(() => stateOf(device_id)).toBe('1')
  }
  const qualities = (from: string, kind: number) => tap.packets.filter(packet => packet.from === from && packet.kind === kind).map(({ flags, body }) => (kind === publish ? (flags >> 1) & 3 : body.at(-1)))
  await expect.poll(() => tap.packets.filter(packet => packet.kind === puback).length).toBeGreaterThan(1)
  for (const [from, kind] of [['client', publish], ['broker', publish], ['client', subscribe]] as const) expect([...new Set(qualities(from, kind))], `${from} ${kind}`).toEqual([1])
})

test('31-A21 every client of ours waits 400,000 ms for its connection', () => {
  const files = globSync('{kit,apps,domains}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/testing/**', '**/*.test.ts'] }).map(file => [file, readFileSync(join(root, file), 'utf8')] as const)
  const own = files.filter(([, text]) => text.includes('mqtt.connect('))
  expect(own.map(([file]) => file).toSorted()).toEqual(['apps/terminal/console/connection-test.ts', 'apps/terminal/jdev/terminal.ts', 'apps/terminal/vf105/terminal.ts', 'kit/server/mqtt/outside.ts', 'kit/web/realtime/dial.ts'])
  for (const [file, text] of own) expect(text, file).toMatch(file.includes('/web/') ? /connectTimeout: connect_timeout,/ : /connect_timeout_ms = 400_000\n[^]*connectTimeout: connect_timeout_ms/)
  expect(readFileSync(join(root, 'domains/identity/contract/realtime.ts'), 'utf8')).toContain('const connect_timeout = 400_000')
})

test('31-A1 retained messages, foreign wills, floods, huge packets and nameless old clients are refused, and another device notices nothing', async () => {
  const [victim, bad] = [await aDevice(), await aDevice()]
  const other = await connectDevice(port, victim)
  opened.push(() => other.close())
  await other.say('up/hello', 'hello', { sn: victim.sn, model: 'JD-F10', store_id: 'store' })
  await expect.poll(() => stateOf(victim.device_id)).toBe('1')
  const shown = { clientId: bad.sn, username: bad.sn, password: bad.secret }
  const alive = () => other.say('up/state', 'state', {})

  expect(await comes({ ...shown, will: { topic: `jdev/${victim.sn}/up/bye`, payload: Buffer.from('{}'), qos: 1, retain: false } })).toBeNull()
  expect(await comes({ ...shown, will: { topic: `jdev/${bad.sn}/up/bye`, payload: Buffer.from('{}'), qos: 1, retain: true } })).toBeNull()
  expect(await comes({ clientId: '', protocolId: 'MQIsdp', protocolVersion: 3, clean: true })).toBeNull()
  await alive()
  expect(other.mqtt.connected).toBe(true)

  const keeper = await comes(shown)
  await keeper?.publishAsync(`jdev/${bad.sn}/access_device/v2/event/kept`, '{}', { qos: 1, retain: true })
  const listener = await comes(shown)
  const heard: string[] = []
  listener?.on('message', topic => heard.push(topic))
  await listener?.subscribeAsync(`jdev/${bad.sn}/access_device/v2/#`, { qos: 1 })
  await alive()
  expect(heard).toEqual([])

  for (const harm of [
    (client: mqtt.MqttClient) => client.publish(`jdev/${bad.sn}/up/event`, Buffer.alloc(10 * 1024 * 1024), { qos: 1 }),
    (client: mqtt.MqttClient) => Array.from({ length: 10_000 }, () => client.publish(`jdev/${bad.sn}/up/state`, '{}', { qos: 0 })),
  ]) {
    const client = await comes(shown)
    expect(client).not.toBeNull()
    if (client) harm(client)
    await Promise.all(Array.from({ length: 10 }, alive))
    await expect.poll(() => client?.connected).toBe(false)
  }
  expect([other.mqtt.connected, await stateOf(victim.device_id)]).toEqual([true, '1'])
})

const Down = z.object({ id: z.string(), type: z.string(), body: z.object({ rows: z.array(z.object({ k: z.string(), key: z.string(), ver: z.number() })).default([]), kind: z.string().optional() }) })

test('31-A3 the page alone plays a device by hand: it says hello, receives its people, acknowledges them and says who passed, each time on a line of its own', async () => {
  const { device_id, sn, secret } = await aDevice()
  const [{ place_id } = { place_id: '' }] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list
  dataOf(deviceApi.place, await app.call(deviceApi.place, { device_id, place_id, direction: 3 }, { token: me.token }))
  await app.running.database.tenant(school_id, async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    await declareSubjects(by, [subjectOf('7001')])
    await declareCredentials(by, [cardOf('7001')])
    await declareGrants(by, [grantOf('7001', place_id, app.clock.now())])
  })
  const page = readFileSync(join(root, 'docs/terminal-protocol.md'), 'utf8').replaceAll('"S1"', `"${sn}"`).replace(/"(ts|at)": "2026-11-20T07:(?:21|00):/gu, `"$1": "${app.clock.now().toISOString().slice(0, 14)}00:`)
  const said = [...page.matchAll(/```json\n(.*?)\n```/gsu)].map(([, json = '']) => json)
  const block = (word: string) => said.find(json => json.includes(word)) ?? ''
  const shown = { clientId: sn, username: sn, password: secret }
  /** mosquitto_pub */
  const pub = async (topic: string, json: string) => {
    const client = await comes(shown)
    await client?.publishAsync(`jdev/${sn}/up/${topic}`, json, { qos: 1 })
    await client?.endAsync()
  }
  /** mosquitto_sub -C 1 */
  const sub = async () => {
    const client = await comes(shown)
    const heard = new Promise<string>(resolve => client?.once('message', (_topic, payload) => resolve(payload.toString())))
    await client?.subscribeAsync(`jdev/${sn}/down/#`, { qos: 1 })
    const message = Down.parse(JSON.parse(await heard))
    await client?.endAsync()
    return message
  }
  const states = () => app.running.database.tenant<unknown, string[]>(school_id, async db => (await sql<{ told: string }>`select kind || ' ' || state as told from sync_row where school_id = ${school_id} and device_id = ${device_id} and kind <> 'config' order by kind`.execute(db)).rows.map(row => row.told))

  await pub('hello', block('"type": "hello"'))
  await expect.poll(async () => (await states()).length).toBe(3)
  const reply = z.looseObject({}).parse(JSON.parse(block('"results"')))
  while ((await states()).some(told => !told.endsWith('applied'))) {
    const { id, type, body } = await sub()
    const results = body.rows.map(({ k, key, ver }) => ({ k, key, ver, status: 'applied' }))
    await pub('reply', JSON.stringify({ ...reply, re: id, body: type === 'sync.rows' ? { results } : { kind: body.kind, rows: [] } }))
    await expect.poll(async () => (await states()).filter(told => / (?:sent|unknown)$/u.test(told))).toEqual([])
  }
  expect(await states()).toEqual(['credential applied', 'permission applied', 'person applied'])
  await pub('event', block('"type": "pass"'))
  const passes = () => app.running.database.tenant<unknown, unknown[]>(school_id, async db => (await sql`select user_id::text, verify_mode, pass_state, code_masked from pass_event where school_id = ${school_id} and device_id = ${device_id}`.execute(db)).rows)
  await expect.poll(passes).toEqual([{ user_id: '7001', verify_mode: 2, pass_state: 1, code_masked: '****88AF' }])
})
