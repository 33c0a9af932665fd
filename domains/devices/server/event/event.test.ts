import { connectDevice, dataOf, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { cardReadApi, deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { decodeUp, PassItem } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hearDevice } from '../link/hear.ts'
import { sessionsPort } from '../link/sessions.ts'
import { declareCredentials, declareSubjects } from '../sync/declare.ts'

const school_id = test_schools.a
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.card.view'], places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  const { running, clock } = app
  await running.database.tenant(school_id, async db => {
    const by = { app: running.app, db, school_id, now: clock.now() }
    await declareSubjects(by, [{ user_id: '7301', person_kind: 1, user_no: 'N1', user_name: '林小满', dept_name: '三年级2班', live: true }])
    await declareCredentials(by, [{ user_id: '7301', cred_kind: 'card', code: '0A1B2C3D', usable: true, source: 'cards', source_ref: 'card 7301', version: 1 }])
  })
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

/** A reader that is there, in a place of its own. */
async function aReader() {
  made += 1
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `读卡点${made}`, place_kind: 9 }, { token: me.token }))
  const draft = { device_sn: `R${made}`, device_name: `读卡器${made}`, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  await terminal.start()
  await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token: me.token })).device.device_state).toBe('1')
  return { terminal, device_id: device.device_id, place_id: place.place_id }
}

const select = <R>(query: ReturnType<typeof sql<R>>) => app.running.database.tenant<unknown, R[]>(school_id, async db => (await query.execute(db)).rows)
const recent = async (place_id: string) => dataOf(cardReadApi.recent, await app.call(cardReadApi.recent, { place_id }, { token: me.token }))

describe('a card held to a reader', () => {
  test('is its holder by the whole number, of which only the end is kept; told twice it is one', async () => {
    const { terminal, device_id, place_id } = await aReader()
    terminal.tell('card', { code: '0A1B2C3D' })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    terminal.tell('card', { code: 'FFFFFFFF' })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    const cards = await select(sql<Record<string, unknown>>`select * from card_read_event where school_id = ${school_id} and device_id = ${device_id} order by device_seq`)
    expect(cards.map(({ user_id, code_masked }) => [user_id === null ? null : String(user_id), code_masked])).toEqual([['7301', '****2C3D'], [null, '****FFFF']])
    expect(JSON.stringify(cards)).not.toContain('0A1B2C3D')
    const { list, per_minute } = await recent(place_id)
    expect(list.map(({ user_name, dept_name, pass_state }) => [user_name, dept_name, pass_state])).toEqual([[null, null, null], ['林小满', '三年级2班', null]])
    expect(per_minute.reduce((sum, count) => sum + count, 0)).toBe(2)
  })

  test('is seen at once by who watches its place or one above it, and by nobody of another place', async () => {
    const { terminal, place_id } = await aReader()
    const other = await aReader()
    const live = await openLive(app.url, me.token, [`card:${place_id}`, `card:${other.place_id}`, `card:${campus}`])
    // Whoever has just begun to watch may miss what happens in that moment.
    const passedAgain = () => {
      terminal.pass({ user_id: '7301', verify: 2, result: 1, code_masked: '****2C3D' })
      return live.rows(`card:${place_id}`).length
    }
    await expect.poll(passedAgain, { interval: 500 }).toBeGreaterThan(0)
    await expect.poll(() => live.rows(`card:${campus}`).length).toBeGreaterThan(0)
    expect(live.rows(`card:${place_id}`)[0]).toMatchObject({ user_name: '林小满', pass_state: 1, verify_mode: 2 })
    expect(live.rows(`card:${other.place_id}`)).toEqual([])
    await live.close()
  })

  test('30-A31 in a place out of sight can neither be listed nor watched', async () => {
    const { place_id } = await aReader()
    const other = await aReader()
    const near = await app.as({ school_id, codes: ['devices.card.view'], places: [other.place_id] })
    expect((await app.call(cardReadApi.recent, { place_id }, { token: near.token })).status).toBe(404)
    expect((await app.call(cardReadApi.recent, { place_id: other.place_id }, { token: near.token })).status).toBe(200)
    await expect(openLive(app.url, near.token, [`card:${place_id}`])).rejects.toThrow('watch answered 403')
  })
})

describe('what is wrong at a device', () => {
  const alarms = async (device_id: string) => (await select(sql<{ alarm_kind: string; over: boolean }>`select alarm_kind, cleared_at is not null as over from alarm_event where school_id = ${school_id} and device_id = ${device_id} order by at, alarm_kind`)).map(row => [row.alarm_kind, row.over])

  test('begins with its event and ends with the next one of its kind', async () => {
    const { terminal, device_id } = await aReader()
    terminal.tell('alarm', { kind: 'tamper', value: 1 })
    terminal.tell('alarm', { kind: 'door_held', value: 1 })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    expect((await alarms(device_id)).toSorted()).toEqual([['door_held', false], ['tamper', false]])
    terminal.tell('alarm', { kind: 'door_held', value: 0 })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    expect((await alarms(device_id)).toSorted()).toEqual([['door_held', true], ['tamper', false]])
  })

  test('and was lost while the line was down is learned from its state, once, and ends with it', async () => {
    const { terminal, device_id } = await aReader()
    await terminal.stop()
    terminal.door = { open: false, fire: true, tamper: false }
    await terminal.start()
    await expect.poll(() => alarms(device_id)).toEqual([['recovered_fire', false]])
    terminal.beat()
    terminal.door = { open: true, fire: true, tamper: false }
    terminal.beat()
    terminal.door = { open: false, fire: false, tamper: false }
    terminal.beat()
    await expect.poll(() => alarms(device_id)).toEqual([['recovered_fire', true]])
  })
})

test('of five minutes the last word of a device stands', async () => {
  const { terminal, device_id } = await aReader()
  const metrics = async () => {
    await sessionsPort.one(app.running.app).flush()
    return select(sql<{ persons: number; queue_len: number; cpu_pct: number; buckets: number }>`select sum(persons)::int as persons, sum(queue_len)::int as queue_len, max(cpu_pct)::int as cpu_pct, count(distinct bucket)::int as buckets from device_metric where school_id = ${school_id} and device_id = ${device_id}`)
  }
  await expect.poll(metrics).toMatchObject([{ persons: 0, cpu_pct: 20 }])
  terminal.store.apply({ k: 'person', key: '1', op: 'put', ver: 1, hash: '0123456789abcdef', body: {} })
  terminal.beat()
  await expect.poll(async () => (await metrics())[0]?.persons).toBe(1)
  expect((await metrics())[0]?.buckets).toBeLessThanOrEqual(2)
})

/** The same numbers in the same order every time. */
function dice(): (below: number) => number {
  let state = 7
  return below => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** A device played by hand, that says whatever it is given. */
async function byHand() {
  made += 1
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `读卡点${made}`, place_kind: 9 }, { token: me.token }))
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `R${made}`, device_name: `读卡器${made}`, device_type: '01', model_code: 'JD-F10', place_id: place.place_id }, { token: me.token }))
  const client = await connectDevice(port, { sn: device.device_sn, secret: setup?.secret ?? '', epoch: 'by-hand' })
  await client.say('up/hello', 'hello', { sn: device.device_sn, model: 'JD-F10', store_id: 'hand' })
  const acks = () => client.told.filter(({ topic }) => topic.endsWith('/down/ack')).length
  return { client, acks, device_id: device.device_id, sn: device.device_sn }
}

const letters = (device_id: string) => select(sql<{ reason: string }>`select reason from dead_letter where school_id = ${school_id} and device_id = ${device_id}`)
const stored = (device_id: string) => select(sql<{ n: number; keys: number; people: number }>`select count(*)::int as n, count(distinct device_seq)::int as keys, count(distinct user_id)::int as people from pass_event where school_id = ${school_id} and device_id = ${device_id}`)

test('30-A15 five thousand records that come twice and in no order are five thousand, and every message is acknowledged', async () => {
  const { client, acks, device_id } = await byHand()
  const next = dice()
  const now = Date.now()
  const twice = Array.from({ length: 10_000 }, (_, n) => ({ seq: (n % 5000) + 1, type: 'pass', at: new Date(now - (n % 5000) * 60_000).toISOString(), user_id: String(50_000 + (n % 5000)), verify: 2, result: 1 }))
  const shuffled = twice.map(item => ({ item, by: next(1_000_000) })).toSorted((a, b) => a.by - b.by).map(one => one.item)
  for (let at = 0; at < shuffled.length; at += 100) await client.say('up/event', 'event', { items: shuffled.slice(at, at + 100) })
  await expect.poll(acks).toBe(100)
  expect([await stored(device_id), await letters(device_id)]).toEqual([[{ n: 5000, keys: 5000, people: 5000 }], []])
  await client.close()
})

test('31-A5 mutated messages break no session: each is either understood or counted among the dead letters of its own device', async () => {
  const { client, acks, device_id, sn } = await byHand()
  const other = await byHand()
  const next = dice()
  const sessions = sessionsPort.one(app.running.app)
  const session = sessions.of(sn)
  if (!session) throw new Error('nobody is there')
  const topic = `jdev/${sn}/up/event`
  let wanted = 0
  for (let seq = 1; seq <= 400; seq += 1) {
    const bytes = Buffer.from(JSON.stringify({ v: 1, id: `m${seq}`, seq, epoch: 'by-hand', ts: new Date().toISOString(), type: 'event', body: { items: [{ seq, type: 'pass', at: new Date().toISOString(), user_id: '7301', verify: 2, result: 1 }] } }))
    for (let change = 0; change <= next(3); change += 1) bytes[next(bytes.length)] = next(256)
    const read = decodeUp(bytes)
    if ('bad' in read) wanted += 1
    else if (read.message.type === 'event') wanted += read.message.body.items.filter(item => item.type !== 'pass' || !PassItem.safeParse(item).success || JSON.stringify(item).includes('\\u0000')).length
    await hearDevice(sessions, session, topic, bytes)
  }
  expect(wanted).toBeGreaterThan(200)
  expect((await letters(device_id)).filter(letter => letter.reason !== 'twin')).toHaveLength(wanted)
  expect([await letters(other.device_id), await stored(other.device_id)]).toEqual([[], [{ n: 0, keys: 0, people: 0 }]])
  const before = acks()
  await client.say('up/event', 'event', { items: [{ seq: 9999, type: 'pass', at: new Date().toISOString(), user_id: '7301', verify: 2, result: 1 }] })
  await expect.poll(acks).toBe(before + 1)
  await Promise.all([client.close(), other.client.close()])
})
