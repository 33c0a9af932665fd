import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectDevice, dataOf, startTestApp, tapWire, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser, WireTap } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import mqtt from 'mqtt'
import type { IClientOptions } from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

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
  me = await app.as({ school_id, codes: ['devices.device.view', 'devices.device.edit'], places: 'all' })
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
