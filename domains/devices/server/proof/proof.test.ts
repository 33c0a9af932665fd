import { dataOf, domains } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { alarmEvents } from '@kit/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '../sync/declare.ts'
import { cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { askTonight } from './proof.queries.ts'

/** For so long after a device was put somewhere its rows change without a signature. */
const moved_ms = 601_000
const duty = Object.values(alarmEvents).map(({ name, payload }) => consume(`probe.${name}`, name, payload, () => Promise.resolve()))
let d: DevicesTest
beforeAll(async () => {
  d = await startDevices({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers: duty }], codes: ['devices.sync.view', 'devices.sync.edit', 'devices.sync.confirm'] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const user = (n: number) => String(60_000 + n)
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
const count = async (device_id: string, kind: 'person', state: 'applied' | 'blocked') => dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id: device_id, kind, state }, { token: d.me.token })).total

/** People with cards who may pass a gate. */
const admit = (who: readonly number[], place_id: string) => d.declare(async by => {
  await declareSubjects(by, who.map(n => subjectOf(user(n))))
  await declareCredentials(by, who.map(n => cardOf(user(n))))
  await declareGrants(by, who.map(n => grantOf(user(n), place_id, by.now)))
})
/** What the duty officer was told of a change that waits. */
const toldOf = async (plan_id: string) => (await d.tenant(db => sql<{ name: string; payload: Record<string, unknown> }>`
  select name, payload from outbox where school_id = ${d.school_id} and starts_with(name, 'alarm.') and payload ->> 'kind' = 'mass_held' and payload ->> 'source_id' = ${plan_id} order by event_no`.execute(db))).rows
const right = (n: number, place_id: string) => `grant ${user(n)} ${place_id}`
const dismiss = (who: readonly number[], place_id: string) => d.declare(by => revoke(by, 'access', who.map(n => right(n, place_id))))

const ask = (device_id: string, mode: 'diff' | 'verify' | 'rebuild', confirm?: string) => d.app.call(syncApi.resync, { id: device_id, mode, ...(confirm === undefined ? {} : { confirm }) }, { token: d.me.token })
const drift = async (device_id: string, more: { resolved?: '1' } = {}) => dataOf(syncApi.drift, await d.app.call(syncApi.drift, { device_id, ...more }, { token: d.me.token }))
const listed = async (device_id: string) => dataOf(deviceApi.list, await d.app.call(deviceApi.list, { page_size: 200 }, { token: d.me.token })).list.find(one => one.device_id === device_id)
async function proven(device_id: string) {
  expect((await ask(device_id, 'verify')).status).toBe(200)
  await expect.poll(async () => (await drift(device_id)).proof?.state).toBe('done')
  return (await drift(device_id)).proof
}

describe('a whole read-back', () => {
  test('of a device that holds what it is to hold proves every row', async () => {
    const { device_id, place_id } = await d.aGate()
    await admit([1, 2, 3], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    expect(await proven(device_id)).toMatchObject({ rows_checked: 7, rows_missing: 0, rows_different: 0, rows_foreign: 0 })
    expect(await d.states(device_id)).toEqual(['proven'])
    expect(await listed(device_id)).toMatchObject({ drift: 0, proof_at: expect.any(String), sync: { proven: 7 } })
  })

  test('finds what is missing and what is different, sends it again, and reads it once more', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([11, 12, 13], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    terminal.store.lose('person', user(11))
    terminal.store.spoil(user(12), 'feedfeedfeedfeed')
    const asked = await ask(device_id, 'verify')
    expect(asked.status).toBe(200)
    await expect.poll(async () => (await drift(device_id, { resolved: '1' })).list.map(one => [one.row_key, one.found, one.resolution]).toSorted()).toEqual([[user(11), 'missing', 'resent'], [user(12), 'different', 'resent']])
    expect(terminal.store.held('person').get(user(12))?.body).toMatchObject({ name: `学生${user(12)}` })
    expect([await d.states(device_id), (await drift(device_id)).total]).toEqual([['proven'], 0])
  })

  test('30-A8 finds a person who was added on the device itself; he is left, deleted, or not mentioned again until the next one', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([21], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    for (const key of ['L1', 'L2', 'L3']) terminal.store.enter('person', key, 'abcdabcdabcdabcd')
    expect(await proven(device_id)).toMatchObject({ rows_foreign: 3 })
    const found = (await drift(device_id)).list
    expect(found.map(one => [one.row_key, one.found]).toSorted()).toEqual([['L1', 'foreign'], ['L2', 'foreign'], ['L3', 'foreign']])
    expect((await listed(device_id))?.drift).toBe(3)
    const decide = async (row_key: string, action: 'adopt' | 'delete' | 'ignore') => d.app.call(syncApi.drift_resolve, { ids: [found.find(one => one.row_key === row_key)?.drift_id ?? ''], action }, { token: d.me.token })
    for (const [key, action] of [['L1', 'adopt'], ['L2', 'delete'], ['L3', 'ignore']] as const) expect(dataOf(syncApi.drift_resolve, await decide(key, action))).toEqual({ resolved: 1 })
    expect((await decide('L2', 'delete')).status).toBe(404)
    await expect.poll(() => [...terminal.store.held('person').keys()].toSorted()).toEqual([user(21), 'L1', 'L3'])
    expect(await proven(device_id)).toMatchObject({ rows_foreign: 1 })
    expect((await drift(device_id)).list.map(one => one.row_key)).toEqual(['L3'])
  })

  test('of a terminal that does not answer ends as failed, and nothing is taken for lost', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([31], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    terminal.faults.refuse_reads = true
    await ask(device_id, 'verify')
    await expect.poll(async () => (await drift(device_id)).proof?.state).toBe('failed')
    expect(await d.states(device_id)).toEqual(['applied'])
  })

  test('is asked for every device at night, once', async () => {
    const { device_id, place_id } = await d.aGate()
    await admit([41], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    const night = (hour: string) => new Date(`2027-03-02T${hour}:59+08:00`)
    const proofs = async () => (await d.tenant(db => sql`select from sync_proof where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))).rows.length
    await d.tenant(db => askTonight(db, d.school_id, night('01:59')))
    expect(await proofs()).toBe(0)
    for (const hour of ['04:59', '04:59']) await d.tenant(db => askTonight(db, d.school_id, night(hour)))
    await expect.poll(() => d.states(device_id)).toEqual(['proven'])
    expect(await proofs()).toBe(1)
  })
})

describe('a rebuild', () => {
  test('wants the name of the device, writes every row anew and proves it', async () => {
    const { terminal, device_id, device_name, place_id } = await d.aGate()
    await admit([51, 52], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    const refused = await ask(device_id, 'rebuild', '别的名称')
    expect([refused.status, refused.body.msg]).toEqual([422, `请输入设备名称“${device_name}”，确认重建`])
    terminal.trace.length = 0
    expect((await ask(device_id, 'rebuild', device_name)).status).toBe(200)
    await expect.poll(() => d.states(device_id)).toEqual(['proven'])
    await expect.poll(async () => (await drift(device_id)).proof).toMatchObject({ state: 'done', rows_checked: 5, rows_missing: 0 })
    expect(terminal.trace.flatMap(message => message.rows).length).toBe(5)
  })
})

describe('a device that was put somewhere else', () => {
  test('gives up who may not pass there, the old place first, without waiting for a signature; a place that is moved takes its devices along', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    const other = await d.aPlace()
    await admit(numbers(4000, 60), place_id)
    await admit([4100], other)
    await expect.poll(() => count(device_id, 'person', 'applied')).toBe(60)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    expect((await d.app.call(deviceApi.place, { device_id, place_id: other, direction: 3 }, { token: d.me.token })).status).toBe(200)
    await expect.poll(() => [...terminal.store.held('person').keys()]).toEqual([user(4100)])
    expect(dataOf(syncApi.holds, await d.app.call(syncApi.holds, {}, { token: d.me.token })).list).toEqual([])
    const gate = await d.aPlace()
    await admit([4200], gate)
    const { row_version } = dataOf(placeApi.detail, await d.app.call(placeApi.detail, { id: other }, { token: d.me.token })).place
    expect((await d.app.call(placeApi.move, { place_id: other, superior_id: gate, row_version }, { token: d.me.token })).status).toBe(200)
    await expect.poll(() => [...terminal.store.held('person').keys()].toSorted()).toEqual([user(4100), user(4200)])
  })

  test('is not retired while it holds people, unless it is lost; a new one takes its place and its name and is filled when it comes', async () => {
    const { terminal, device_id, device_name, place_id } = await d.aGate()
    await admit([5000, 5001], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    const { row_version } = dataOf(deviceApi.detail, await d.app.call(deviceApi.detail, { id: device_id }, { token: d.me.token })).device
    const refused = await d.app.call(deviceApi.retire, { device_id, row_version, reason: '报废' }, { token: d.me.token })
    expect([refused.status, refused.body.msg]).toEqual([409, '设备上仍有2人的数据未清除，请先清空或登记为遗失'])
    const replaced = dataOf(deviceApi.replace, await d.app.call(deviceApi.replace, { device_id, row_version, device_sn: 'NEW-GATE', reason: '主板损坏', is_lost: true }, { token: d.me.token }))
    expect(replaced.device).toMatchObject({ device_name, device_sn: 'NEW-GATE', place_id, lifecycle: 'pending' })
    await expect.poll(() => terminal.is_connected).toBe(false)
    const fresh = new JdevTerminal({ url: `mqtt://127.0.0.1:${d.port}`, sn: 'NEW-GATE', secret: replaced.setup?.secret ?? '' })
    await fresh.start()
    await expect.poll(() => [...fresh.store.held('person').keys()].toSorted()).toEqual([user(5000), user(5001)])
    await fresh.stop()
  })

  test('that was emptied is retired', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([5100], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    await d.app.call(deviceApi.place, { device_id, place_id: null, direction: 3 }, { token: d.me.token })
    await expect.poll(() => terminal.store.held('person').size).toBe(0)
    await expect.poll(() => d.states(device_id)).toEqual(['gone'])
    const { row_version } = dataOf(deviceApi.detail, await d.app.call(deviceApi.detail, { id: device_id }, { token: d.me.token })).device
    expect((await d.app.call(deviceApi.retire, { device_id, row_version, reason: '报废' }, { token: d.me.token })).status).toBe(200)
  })
})

describe('30-A9 a change that takes most people from a device', () => {
  test('waits for a signature; a lost card and whoever has left go all the same', async () => {
    const { terminal, device_id, device_name, place_id } = await d.aGate()
    const all = numbers(1000, 100)
    await admit(all, place_id)
    await expect.poll(() => count(device_id, 'person', 'applied')).toBe(100)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    d.app.clock.advance(moved_ms)
    await d.declare(async by => {
      await revoke(by, 'cards', [`card ${user(1000)}`])
      await revoke(by, 'access', all.slice(0, 60).map(n => right(n, place_id)))
    })
    await expect.poll(() => count(device_id, 'person', 'blocked')).toBe(60)
    await d.declare(by => declareSubjects(by, [subjectOf(user(1001), { live: false })]))
    await expect.poll(() => terminal.store.held('credential').size).toBe(98)
    await expect.poll(() => terminal.store.held('person').size).toBe(99)
    const [plan, ...others] = dataOf(syncApi.holds, await d.app.call(syncApi.holds, {}, { token: d.me.token })).list
    expect([plan, others]).toEqual([{ plan_id: expect.any(String), device_id, device_name, node_path_name: expect.stringContaining('场所'), direction: 3, persons: 59, persons_total: 100, held_at: expect.any(String), names: numbers(1000, 6).filter(n => n !== 1001).map(n => `学生${user(n)}`), groups: [{ name: '一年级1班', persons: 59 }] }, []])
    const [row] = dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id: device_id, kind: 'person', state: 'blocked' }, { token: d.me.token })).list
    expect(row).toMatchObject({ want_op: 'delete', sentence: '没有下发：本次删除人数过多，等待确认' })
    const sign = (reason: string) => d.app.call(syncApi.hold_confirm, { plan_id: plan?.plan_id ?? '', reason }, { token: d.me.token })
    expect((await sign(' ')).status).toBe(400)
    expect((await sign('毕业班离校')).status).toBe(200)
    await expect.poll(() => terminal.store.held('person').size).toBe(40)
    expect((await sign('毕业班离校')).status).toBe(409)
    const told = await toldOf(plan?.plan_id ?? '')
    expect(told.map(({ name }) => name)).toEqual(['alarm.raised', 'alarm.changed', 'alarm.closed'])
    expect(told[0]?.payload).toEqual({ domain: 'devices', kind: 'mass_held', source_id: plan?.plan_id, level: 2, deadline: null, need: 'devices.sync.confirm' })
  })

  test('is over when those people may pass again', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    const all = numbers(2000, 60)
    await admit(all, place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    d.app.clock.advance(moved_ms)
    await dismiss(all, place_id)
    await expect.poll(() => count(device_id, 'person', 'blocked')).toBe(60)
    const [plan] = dataOf(syncApi.holds, await d.app.call(syncApi.holds, {}, { token: d.me.token })).list
    await admit(all, place_id)
    await expect.poll(async () => dataOf(syncApi.holds, await d.app.call(syncApi.holds, {}, { token: d.me.token })).list).toEqual([])
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    expect(terminal.store.held('person').size).toBe(60)
    expect((await toldOf(plan?.plan_id ?? '')).map(({ name }) => name)).toEqual(['alarm.raised', 'alarm.closed'])
  })

  test('is not held when it is small', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    const all = numbers(3000, 60)
    await admit(all, place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    d.app.clock.advance(moved_ms)
    await dismiss(all.slice(0, 50), place_id)
    await expect.poll(() => terminal.store.held('person').size).toBe(10)
  })
})
