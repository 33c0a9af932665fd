import { dataOf, domains, test_schools } from '@apps/server/testing'
import { aiRecordApi, aiRuleApi, deviceApi, devicesEvents, syncApi } from '@campus/devices/contract'
import { alarmEvents } from '@kit/contract'
import type { EventFact } from '@kit/contract'
import { consume } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { issueSecrets } from './client.queries.ts'
import type { DevicesDb } from './db.ts'
import { createDevices } from './device.create.ts'
import { beginAlarm, endAlarms } from './event/alarm.write.ts'
import { writeSeen } from './link/seen.write.ts'
import { probeDevice } from './probe/probe.service.ts'
import { declareGrants, declareSubjects } from './sync/declare.ts'
import { ai_codes, aSeeingRoom } from './testing/seeing.ts'
import { grantOf, startDevices, subjectOf } from './testing/start.ts'
import type { DevicesTest } from './testing/start.ts'

const { stateChanged, replaced, capacityWarned, clockSkewed, profileChanged, rebuilt, offline } = devicesEvents
const listened: readonly EventFact[] = [stateChanged, replaced, capacityWarned, clockSkewed, profileChanged, rebuilt, offline, ...Object.values(alarmEvents)]
/** What somebody listens to leaves a row, in the transaction that makes it so: what was told, and that nothing more was, is read there. */
const heard: string[] = []
const probe: DomainServer = { name: 'probe', migrations: import.meta.dirname, routes: [], consumers: listened.map(({ name, payload }) => consume(`probe.${name}`, name, payload, async () => void heard.push(name))) }

let d: DevicesTest
beforeAll(async () => {
  d = await startDevices({ domains: [...domains, probe], codes: [...ai_codes, 'devices.sync.view', 'devices.sync.edit'] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const told = async ({ name }: EventFact, key: 'device_id' | 'source_id', id: string) => (await d.tenant(db => sql<{ payload: Record<string, unknown> }>`
  select payload from outbox where school_id = ${d.school_id} and name = ${name} and starts_with(payload ->> ${key}, ${id}) order by event_no`.execute(db))).rows.map(row => row.payload)
const valuesOf = async (fact: EventFact, device_id: string, field: string) => (await told(fact, 'device_id', device_id)).map(row => row[field])
const stated = async (id: string) => ({ device_id: id, row_version: (await d.detail(id)).device.row_version })
const lineOf = (device_id: string) => (db: Parameters<Parameters<typeof d.tenant>[0]>[0]) => ({ app: d.app.running.app, db, school_id: d.school_id, device_id, now: d.app.clock.now() })

test('what a device is doing is told when it turns, and not when its line turns and it does nothing else', async () => {
  const { terminal, device_id } = await d.aGate()
  dataOf(deviceApi.disable, await d.app.call(deviceApi.disable, await stated(device_id), { token: d.me.token }))
  await terminal.stop()
  await expect.poll(() => valuesOf(offline, device_id, 'device_id')).toEqual([device_id])
  dataOf(deviceApi.enable, await d.app.call(deviceApi.enable, await stated(device_id), { token: d.me.token }))
  dataOf(deviceApi.retire, await d.app.call(deviceApi.retire, { ...(await stated(device_id)), reason: '报废' }, { token: d.me.token }))
  expect(await valuesOf(stateChanged, device_id, 'device_state')).toEqual(['1', '3', '0', null])
  await expect.poll(() => heard.filter(name => name === stateChanged.name)).toHaveLength(4)
})

test('one that takes the place of another one is told of once, and what was wrong at the other one is over', async () => {
  const { device_id } = await d.aDevice()
  await d.tenant(async db => beginAlarm(lineOf(device_id)(db), 'fault', { event_date: '2026-12-01', device_seq: 'a:1', at: '2026-12-01T08:00:00Z', body_hash: '0'.repeat(16) }))
  const { device } = dataOf(deviceApi.replace, await d.app.call(deviceApi.replace, { ...(await stated(device_id)), device_sn: 'EV-NEW', reason: '更换' }, { token: d.me.token }))
  expect(await told(replaced, 'device_id', device_id)).toEqual([{ device_id, new_device_id: device.device_id, at: expect.any(String) }])
  expect(await told(alarmEvents.closed, 'source_id', `${device_id}/`)).toMatchObject([{ kind: 'fault', level: 2 }])
})

test('the duty officer hears of a fire once, of its end once, and of a door that is merely open never', async () => {
  const { device_id } = await d.aDevice()
  const row = { event_date: '2026-12-01', at: '2026-12-01T08:00:00Z', body_hash: '0'.repeat(16) }
  for (const [kind, device_seq] of [['fire', 'a:1'], ['fire', 'a:1'], ['door_open', 'a:2']] as const) await d.tenant(db => beginAlarm(lineOf(device_id)(db), kind, { ...row, device_seq }))
  const fire = { domain: 'devices', kind: 'fire', source_id: `${device_id}/2026-12-01/a:1`, level: 3, deadline: null, need: 'devices.device.view' }
  expect(await told(alarmEvents.raised, 'source_id', `${device_id}/`)).toEqual([fire])
  expect(await told(alarmEvents.closed, 'source_id', `${device_id}/`)).toEqual([])
  for (let times = 0; times < 2; times += 1) await d.tenant(db => endAlarms(lineOf(device_id)(db), ['fire', 'door_open'], '2026-12-01T08:05:00Z'))
  expect(await told(alarmEvents.closed, 'source_id', `${device_id}/`)).toEqual([fire])
})

test('a warning is open for the duty officer until somebody decides, and again when he takes that back', async () => {
  const { box, camera, place_id, rule } = await aSeeingRoom(d.app, d.me, { n: 71, port: d.port })
  dataOf(aiRuleApi.save, await rule())
  for (let times = 0; times < 2; times += 1) box.see({ kind: '4', camera })
  await expect.poll(() => box.store.waiting).toBe(0)
  await box.stop()
  const day = (past_days: number) => new Date(d.app.clock.now().getTime() + 8 * 3_600_000 - past_days * 86_400_000).toISOString().slice(0, 10)
  const { list } = dataOf(aiRecordApi.page, await d.app.call(aiRecordApi.page, { from: day(1), to: day(0), place_id }, { token: d.me.token }))
  const id = list[0]?.warning_id ?? ''
  const counts = async () => [(await told(alarmEvents.raised, 'source_id', id)).length, (await told(alarmEvents.closed, 'source_id', id)).length]
  expect([list.length, await counts()]).toEqual([1, [1, 0]])
  expect(await told(alarmEvents.raised, 'source_id', id)).toEqual([{ domain: 'devices', kind: 'ai_warning_4', source_id: id, level: 3, deadline: null, need: 'devices.ai.view' }])
  dataOf(aiRecordApi.ignore, await d.app.call(aiRecordApi.ignore, { ids: [id], seen_state: '0' }, { token: d.me.token }))
  expect(await counts()).toEqual([1, 1])
  dataOf(aiRecordApi.undo, await d.app.call(aiRecordApi.undo, { ids: [id], seen_state: '1' }, { token: d.me.token }))
  expect(await counts()).toEqual([2, 1])
})

test('30-A11 a device that has got 80 % and 100 % full is told of each time, and not for one more in between or beyond', async () => {
  await d.tenant(db => sql`insert into device_model (model_code, model_name, device_type, driver, capabilities, limits, limits_source, firmware_kinds) select 'TEN', '十人终端', device_type, driver, capabilities, limits || '{"max_persons": 10}', 'measured', firmware_kinds from device_model where model_code = 'JD-F10'`.execute(db))
  const { device_id, place_id } = await d.aGate({ model_code: 'TEN' })
  let count = 0
  for (const more of [7, 1, 1, 3, 1]) {
    const users = Array.from({ length: more }, (_, n) => String(71_000 + count + n))
    count += more
    await d.declare(async by => {
      await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
      await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
    })
    await expect.poll(async () => dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id: device_id, kind: 'person' }, { token: d.me.token })).total).toBe(count)
  }
  expect((await told(capacityWarned, 'device_id', device_id)).map(({ share, persons, most }) => [share, persons, most])).toEqual([[80, 8, 10], [100, 12, 10]])
})

test('30-3.15 a clock that begins to be more than a minute wrong is told of once, and again after it was right: about a minute it does not turn to and fro', async () => {
  const { device_id } = await d.aDevice()
  const begin = d.app.clock.now().getTime()
  const seen = [60_000, -60_001, 90_000, null, 45_000, 62_000, 30_000, 61_000]
  for (const [n, clock_skew_ms] of seen.entries()) await d.tenant(db => writeSeen(lineOf(device_id)(db), [{ school_id: d.school_id, device_id, at: new Date(begin + n * 1000), clock_skew_ms, clock_is_sure: clock_skew_ms !== null }]))
  expect(await valuesOf(clockSkewed, device_id, 'skew_ms')).toEqual([-60_001, 61_000])
})

test('30-§7 what a probe finds otherwise is told of every device of the model in every school, and nothing when it finds the same once more', async () => {
  const { device_id, terminal } = await d.aVf105({ device_sn: 'EV-PR' })
  const other = await d.aDevice({ model_code: 'VF105' })
  Object.assign(terminal.device.quirks, { rows_per_command: 40 })
  const elsewhere = await d.app.running.database.tenant<DevicesDb, string>(test_schools.b, async db => {
    const made = await createDevices(db, test_schools.b, [{ key: 'b', device_sn: 'EV-B', device_name: '乙校门口', device_type: '01', model_code: 'VF105', parent: null, place_id: null, direction: 3 }], d.app.clock.now())
    await issueSecrets(db, test_schools.b, [{ device_id: made.get('b') ?? '', device_sn: 'EV-B' }])
    return made.get('b') ?? ''
  })
  for (let times = 0; times < 2; times += 1) await probeDevice(d.app.running.database, 'EV-PR', () => d.app.clock.now())
  // Whatever was to be told has been, in every school.
  await expect.poll(() => d.app.running.database.tenant<unknown, unknown[]>(0, async db => (await sql`select from work where kind = 'device_profile'`.execute(db)).rows)).toEqual([])
  for (const id of [device_id, other.device_id]) expect(await valuesOf(profileChanged, id, 'model_code')).toEqual(['VF105'])
  const away = await d.app.running.database.tenant<unknown, unknown[]>(test_schools.b, async db => (await sql`select payload ->> 'device_id' as id from outbox where school_id = ${test_schools.b} and name = ${profileChanged.name}`.execute(db)).rows)
  expect(away).toEqual([{ id: elsewhere }])
})

test('a device is rebuilt when everything was written anew and read back right; reading it back alone is none', async () => {
  const { device_id, device_name, place_id, terminal } = await d.aGate()
  await d.declare(async by => {
    await declareSubjects(by, [subjectOf('72001')])
    await declareGrants(by, [grantOf('72001', place_id, by.now)])
  })
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  const resync = async (mode: 'verify' | 'rebuild') => dataOf(syncApi.resync, await d.app.call(syncApi.resync, { id: device_id, mode, confirm: device_name }, { token: d.me.token }))
  await resync('verify')
  await expect.poll(async () => dataOf(syncApi.drift, await d.app.call(syncApi.drift, { device_id }, { token: d.me.token })).proof?.state).toBe('done')
  expect(await told(rebuilt, 'device_id', device_id)).toEqual([])
  await resync('rebuild')
  await expect.poll(() => told(rebuilt, 'device_id', device_id)).toEqual([{ device_id, at: expect.any(String) }])
  expect(await d.states(device_id)).toEqual(['proven'])
  expect(terminal.store.held('person').size).toBe(1)
})
