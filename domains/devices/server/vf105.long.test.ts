import { dataOf } from '@apps/server/testing'
import { syncApi } from '@campus/devices/contract'
import { brokerPort } from '@kit/server/mqtt'
import { jdevDriver } from '@kit/terminal-protocol'
import { commandTopic, encodeSaid, eventTopic, ownPrefix, replyTopic, vf105Driver } from '@kit/terminal-protocol/vf105'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from './db.ts'
import { registerDecider } from './event/decider.ts'
import type { Swipe } from './event/decider.ts'
import { hearDevice } from './link/hear.ts'
import { sessionsPort } from './link/sessions.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './sync/declare.ts'
import { cardOf, grantOf, startDevices, subjectOf } from './testing/start.ts'
import type { DevicesTest } from './testing/start.ts'

let d: DevicesTest
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.sync.view', 'devices.sync.edit'] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

test('31-A1 a VF105 has all thirteen subscriptions below its own serial number, hears a command there and restarts by itself', async () => {
  const { terminal } = await d.aVf105({ device_sn: 'VF1' })
  expect(terminal.is_connected).toBe(true)
  const broker = brokerPort.one(d.app.running.app)
  const say = (action: string, data: unknown) => broker.send('VF1', commandTopic(ownPrefix(broker.prefix, 'VF1'), 'VF1', action), encodeSaid({ serialNo: '1', uuid: 'VF1', time: 1 }, data))
  say('insertUser', [{ userId: '7', name: '张三' }])
  await expect.poll(() => terminal.store.users.get('7')?.name).toBe('张三')
  say('setConfig', { ntp: { timeZone: 'Asia/Tokyo' } })
  await expect.poll(() => terminal.device.counters.restarts).toBe(1)
  await expect.poll(() => terminal.is_connected).toBe(true)
})

test('31-A8 a VF105 comes online, receives who may pass, tells who passed, and forgets who may not', async () => {
  const { terminal, device_id, place_id } = await d.aVf105()
  const by = (db: Db) => ({ app: d.app.running.app, db, school_id: d.school_id, now: d.app.clock.now() })
  const from = new Date(d.app.clock.now().getTime() - 3_600_000)
  const to = new Date(d.app.clock.now().getTime() + 90 * 86_400_000)
  await d.tenant(async db => {
    await declareSubjects(by(db), [{ user_id: '7001', person_kind: 1, user_no: 'N1', user_name: '学生1', dept_name: '一年级1班', live: true }])
    await declareCredentials(by(db), [{ user_id: '7001', cred_kind: 'card', code: 'CARD0001', usable: true, source: 'cards', source_ref: 'card 1', version: 1 }])
    await declareGrants(by(db), [{ user_id: '7001', place_id, direction: 3, windows: [{ from: from.toISOString(), to: to.toISOString() }], source: 'access', source_ref: 'grant 1', version: 1, expires_at: to }])
  })
  await expect.poll(() => [terminal.store.permissions.size, terminal.store.users.size, terminal.store.keys.size]).toEqual([1, 1, 1])
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  terminal.device.present('200', 'CARD0001')
  terminal.device.present('200', 'FFFF')
  const passes = () => d.tenant(async db => (await sql<{ user_id: string | null; pass_state: number; code_masked: string | null }>`select user_id::text as user_id, pass_state, code_masked from pass_event where school_id = ${d.school_id} and device_id = ${device_id} order by device_seq`.execute(db)).rows)
  await expect.poll(passes).toEqual([{ user_id: '7001', pass_state: 1, code_masked: '****0001' }, { user_id: null, pass_state: 2, code_masked: '****FFFF' }])
  await expect.poll(() => terminal.store.waiting()).toBeUndefined()
  terminal.device.fire()
  await expect.poll(() => d.tenant(async db => (await sql<{ alarm_kind: string }>`select alarm_kind from alarm_event where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db)).rows)).toEqual([{ alarm_kind: 'fire' }])
  await d.tenant(db => revoke(by(db), 'cards', ['card 1']).then(() => revoke(by(db), 'access', ['grant 1'])))
  await expect.poll(() => [terminal.store.users.size, terminal.store.keys.size]).toEqual([0, 0])
})

test('31-A11 a fire that began while a VF105 was off line is an alarm at its return, for how it is is asked before anything else, and ends when it does', async () => {
  const { terminal, device_id } = await d.aVf105()
  const stateOf = async () => (await d.detail(device_id)).device.device_state
  const alarms = () => d.tenant(async db => (await sql<{ alarm_kind: string; is_open: boolean }>`select alarm_kind, cleared_at is null as is_open from alarm_event where school_id = ${d.school_id} and device_id = ${device_id} and alarm_kind <> 'offline'`.execute(db)).rows)
  await expect.poll(stateOf).toBe('1')
  await terminal.stop()
  await expect.poll(stateOf).not.toBe('1')
  terminal.device.fire()
  // Whatever else there is to do, and though after a break of the broker everything waits for its turn: how it is, is asked first, and the next word is the answer.
  for (let n = 0; n < 150; n += 1) terminal.device.present('200', 'FFFF')
  terminal.device.trace.splice(0)
  const sessions = sessionsPort.one(d.app.running.app)
  const now = d.app.clock.now()
  sessions.outage = { since: now, until: new Date(now.getTime() + 25_000) }
  await terminal.start()
  await expect.poll(alarms).toEqual([{ alarm_kind: 'recovered_fire', is_open: true }])
  expect(terminal.device.trace.map(one => one.action)).toEqual(['getConfig'])
  sessions.outage = null
  await terminal.stop()
  await expect.poll(stateOf).not.toBe('1')
  Object.assign(terminal.store.config.access ?? {}, { fireStatus: 0 })
  await terminal.start()
  await expect.poll(alarms).toEqual([{ alarm_kind: 'recovered_fire', is_open: false }])
})

/** The same numbers in the same order every time. */
function dice(): (below: number) => number {
  let state = 7
  return below => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const letters = async (device_id: string) => (await d.tenant(db => sql<{ reason: string }>`select reason from dead_letter where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))).rows
const numbers = async (device_id: string) => (await d.tenant(db => sql<{ device_seq: string }>`select device_seq from pass_event where school_id = ${d.school_id} and device_id = ${device_id} order by received_at, length(device_seq), device_seq`.execute(db))).rows.map(row => Number(row.device_seq.split(':')[1]))
/** A record as the device tells it. */
const record = (sn: string, serialNo: string, data: unknown) => encodeSaid({ serialNo, uuid: sn, time: Math.floor(d.app.clock.now().getTime() / 1000) }, data)
const passed = () => [{ userId: '7001', type: '200', timeStamp: Math.floor(d.app.clock.now().getTime() / 1000), result: 0, name: '学生', code: 'CARD7001', error: 'ALLOW', extra: {} }]

test('31-A5 mutated messages on the topics of replies and events end nothing: each is understood or counted among the dead letters of its own device, and no other device has a row of it', async () => {
  const [own, other] = [await d.aVf105(), await d.aVf105()]
  const prefix = ownPrefix(brokerPort.one(d.app.running.app).prefix, own.sn)
  const sessions = sessionsPort.one(d.app.running.app)
  const session = sessions.of(own.sn)
  if (!session) throw new Error('nobody is there')
  const next = dice()
  let wanted = 0
  const known = new Set<number>()
  for (let n = 1; n <= 600; n += 1) {
    const is_reply = n % 3 === 0
    const topic = is_reply ? replyTopic(prefix, 'insertUser') : eventTopic(prefix, 'access')
    const bytes = is_reply ? encodeSaid({ serialNo: `${n}`, uuid: own.sn, code: '100000', time: 1, message: 'x' }, [{ userId: '7001', errmsg: 'person not found' }]) : record(own.sn, String(n), passed())
    for (let change = 0; change <= next(3); change += 1) bytes[next(bytes.length)] = next(256)
    const inbound = vf105Driver.decode(topic, bytes, { client_id: own.sn, prefix: 'jdev' })
    if (inbound.kind === 'bad') wanted += 1
    for (const event of inbound.kind === 'events' ? inbound.events : []) {
      const seq = Number(event.seq)
      if (Number.isSafeInteger(seq) && seq > 0 && !JSON.stringify(event).includes('\\u0000')) known.add(seq)
      else wanted += 1
    }
    // A part over the wire, slowly enough for the broker to bear it.
    if (n <= 150) own.terminal.device.wire.send(topic, bytes)
    else await hearDevice(sessions, session, topic, bytes)
  }
  expect(wanted).toBeGreaterThan(200)
  await expect.poll(async () => (await letters(own.device_id)).filter(letter => letter.reason !== 'twin').length).toBe(wanted)
  expect((await numbers(own.device_id)).filter(seq => !known.has(seq))).toEqual([])
  expect([await letters(other.device_id), await numbers(other.device_id), sessions.of(own.sn) === session]).toEqual([[], [], true])
  // Whoever speaks in the name of another one is set aside as such.
  await hearDevice(sessions, session, eventTopic(prefix, 'access'), record(other.sn, '5000', passed()))
  expect((await letters(own.device_id)).map(letter => letter.reason)).toContain('identity')
  own.terminal.device.wire.send(eventTopic(prefix, 'access'), record(own.sn, '6000', passed()))
  await expect.poll(() => numbers(own.device_id)).toContain(6000)
})

test('31-A10 a record of a VF105 with corrupt content is acknowledged, stands among the dead letters and holds up none of the 50 behind it', async () => {
  const { terminal, device_id } = await d.aVf105()
  await terminal.stop()
  for (let n = 0; n < 51; n += 1) terminal.device.present('200', 'FFFF')
  // The oldest has a time that is none, however it is told.
  const [oldest] = terminal.store.records
  Object.assign(oldest ?? {}, { timeStamp: -1 })
  await terminal.start()
  await expect.poll(() => numbers(device_id)).toHaveLength(50)
  await expect.poll(() => terminal.store.waiting()).toBeUndefined()
  expect(await numbers(device_id)).toEqual(Array.from({ length: 50 }, (_, n) => n + 2))
  expect((await letters(device_id)).map(letter => letter.reason)).toEqual(['body'])
})

test('30-A8 a VF105 is read back page by page: what it lost comes again, whom it was given at the device itself is found', async () => {
  const { terminal, device_id, place_id } = await d.aVf105()
  const users = Array.from({ length: 130 }, (_, n) => String(7200 + n))
  await d.declare(async by => {
    await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
    await declareCredentials(by, users.map(user_id => cardOf(user_id)))
    await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
  })
  await expect.poll(() => terminal.store.keys.size).toBe(130)
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  const drift = async (resolved: '0' | '1') => dataOf(syncApi.drift, await d.app.call(syncApi.drift, { device_id, resolved }, { token: d.me.token }))
  terminal.store.users.delete('7205')
  const stranger = terminal.store.users.get('7206')
  if (!stranger) throw new Error('nobody is there')
  terminal.store.users.set('L1', { ...stranger, userId: 'L1', extra: { source: 'local_user' } })
  expect((await d.app.call(syncApi.resync, { id: device_id, mode: 'verify' }, { token: d.me.token })).status).toBe(200)
  await expect.poll(async () => (await drift('1')).list.map(one => [one.row_key, one.found, one.resolution])).toEqual([['7205', 'missing', 'resent']])
  expect((await drift('0')).list.map(one => [one.row_key, one.found])).toEqual([['L1', 'foreign']])
  expect([await d.states(device_id), terminal.store.users.has('7205')]).toEqual([['proven'], true])
})

test('31 §5.7.5 a card whose number somebody has entered at the device is refused by who holds it, who stands among the differences; a key of ours from earlier makes room', async () => {
  const { terminal, device_id, place_id } = await d.aVf105()
  const { keys, users } = terminal.store
  users.set('local', { userId: 'local', name: 'local', permissionIds: [], extra: {} })
  for (const [keyId, code] of [['LOCAL1', 'CARD7801'], ['c999999999', 'CARD7802']] as const) keys.set(keyId, { keyId, userId: 'local', type: '200', code, extra: {} })
  await d.declare(async by => {
    await declareSubjects(by, [subjectOf('7801'), subjectOf('7802')])
    await declareCredentials(by, [cardOf('7801'), cardOf('7802')])
    await declareGrants(by, [grantOf('7801', place_id, by.now), grantOf('7802', place_id, by.now)])
  })
  const cards = async () => dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id: device_id, kind: 'credential' }, { token: d.me.token })).list.map(row => [row.user_no, row.state, row.sentence.replace(/^已于.*由/u, '由')])
  await expect.poll(cards).toEqual([['N7801', 'refused', '被设备拒绝：设备上的“LOCAL1”已占用此凭证，请在“差异”中处理后重新下发'], ['N7802', 'applied', '由设备确认生效']])
  expect([keys.has('LOCAL1'), keys.has('c999999999')]).toEqual([true, false])
  const { list } = dataOf(syncApi.drift, await d.app.call(syncApi.drift, { device_id }, { token: d.me.token }))
  expect(list.map(drift => [drift.row_key, drift.found])).toEqual([['LOCAL1', 'foreign']])
})

test('30 §1.4 what others may rely on of a device is what its driver can; it has another hash when the limits of its model turn', async () => {
  const [own, theirs] = [await d.aDevice(), await d.aDevice({ model_code: 'VF105' })]
  const profile = async ({ device_id }: { device_id: string }) => d.tenant(async db => (await db.selectFrom('device_profile_v').select(['permission_mode', 'max_groups', 'windows', 'end_inclusive', 'online_check', 'max_times', 'door_modes', 'profile_hash']).where('device_id', '=', device_id).executeTakeFirstOrThrow()))
  for (const [device, driver] of [[own, jdevDriver], [theirs, vf105Driver]] as const) {
    const { weekly, online_verify, max_times, hold_open, lock, evacuate } = driver.capabilities('')
    const { door_modes, ...told } = await profile(device)
    expect(told).toMatchObject({ permission_mode: 'dated', max_groups: 64, windows: weekly, online_check: online_verify, max_times, end_inclusive: driver === vf105Driver })
    expect([hold_open, lock, evacuate]).toEqual(['hold_open', 'lock', 'evacuate'].map(mode => door_modes.includes(mode)))
  }
  const before = await profile(theirs)
  await d.app.running.database.owner_exec(`update device_model set limits = limits || '{"max_groups": 32}' where model_code = 'VF105'`)
  const after = await profile(theirs)
  expect([after.max_groups, after.profile_hash === before.profile_hash, (await profile(own)).max_groups]).toEqual([32, false, 64])
})

test('31 §5.7.11 a door that asks opens to whom the school lets in: never to a stopped card, whoever says what, and to nobody when nobody answers in time', async () => {
  const { terminal, device_id } = await d.aVf105()
  Object.assign(terminal.store.config.mqtt ?? {}, { onlinecheck: 1 })
  await d.declare(async by => {
    await declareSubjects(by, [subjectOf('7901'), subjectOf('7902')])
    await declareCredentials(by, [cardOf('7901'), { ...cardOf('7902'), usable: false }])
  })
  const passes = () => d.tenant(async db => (await sql<{ n: number }>`select count(*)::int as n from pass_event where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db)).rows[0]?.n ?? 0)
  const opensTo = async (code: string) => {
    const [opened, before] = [terminal.device.counters.opened, await passes()]
    terminal.device.present('200', code)
    await expect.poll(passes).toBe(before + 1)
    return terminal.device.counters.opened > opened
  }
  expect(await opensTo('CARD7901')).toBe(false)
  const asked: Swipe[] = []
  registerDecider(d.app.running.app, async (_line, swipe) => {
    asked.push(swipe)
    return swipe.code === 'SILENCE' ? new Promise<boolean>(() => undefined) : true
  })
  expect([await opensTo('CARD7901'), await opensTo('CARD7902'), await opensTo('ONCE'), await opensTo('SILENCE')]).toEqual([true, false, true, false])
  expect(asked.map(({ code, user_id, verify }) => [code, user_id, verify])).toEqual([['CARD7901', '7901', 2], ['ONCE', null, 2], ['SILENCE', null, 2]])
})
