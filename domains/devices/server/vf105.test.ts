import { dataOf } from '@apps/server/testing'
import { syncApi } from '@campus/devices/contract'
import { brokerPort } from '@kit/server/mqtt'
import { commandTopic, encodeSaid, ownPrefix } from '@kit/terminal-protocol/vf105'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from './db.ts'
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

test('31-A11 a fire that began while a VF105 was off line is an alarm at its return, and ends when it does', async () => {
  const { terminal, device_id } = await d.aVf105()
  const stateOf = async () => (await d.detail(device_id)).device.device_state
  const alarms = () => d.tenant(async db => (await sql<{ alarm_kind: string; is_open: boolean }>`select alarm_kind, cleared_at is null as is_open from alarm_event where school_id = ${d.school_id} and device_id = ${device_id} and alarm_kind <> 'offline'`.execute(db)).rows)
  await expect.poll(stateOf).toBe('1')
  await terminal.stop()
  await expect.poll(stateOf).not.toBe('1')
  terminal.device.fire()
  await terminal.start()
  await expect.poll(alarms).toEqual([{ alarm_kind: 'recovered_fire', is_open: true }])
  await terminal.stop()
  await expect.poll(stateOf).not.toBe('1')
  Object.assign(terminal.store.config.access ?? {}, { fireStatus: 0 })
  await terminal.start()
  await expect.poll(alarms).toEqual([{ alarm_kind: 'recovered_fire', is_open: false }])
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
