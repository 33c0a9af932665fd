import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '../sync/declare.ts'
import type { Declarer } from '../sync/declare.ts'
import { askTonight } from './proof.queries.ts'

const school_id = test_schools.a
const day_ms = 86_400_000
/** For so long after a device was put somewhere its rows change without a signature. */
const moved_ms = 601_000
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.sync.view', 'devices.sync.edit', 'devices.sync.confirm'], places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

/** A gate of its own with a terminal that is there. */
async function aGate() {
  made += 1
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `核对门${made}`, place_kind: 9 }, { token: me.token }))
  const draft = { device_sn: `P${made}`, device_name: `核对门${made}终端`, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  await terminal.start()
  await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token: me.token })).device.device_state).toBe('1')
  return { terminal, device_id: device.device_id, device_name: draft.device_name, place_id: place.place_id }
}

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const declare = (work: (by: Declarer) => Promise<void>) => tenant(db => work({ app: app.running.app, db, school_id, now: app.clock.now() }))
const user = (n: number) => String(60_000 + n)
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
const states = async (device_id: string) => {
  const { rows } = await tenant(db => sql<{ state: string }>`select distinct state from sync_row where school_id = ${school_id} and device_id = ${device_id} order by 1`.execute(db))
  return rows.map(row => row.state)
}
const count = async (device_id: string, kind: 'person', state: 'applied' | 'blocked') => dataOf(syncApi.state_rows, await app.call(syncApi.state_rows, { id: device_id, kind, state }, { token: me.token })).total

const grantOf = (n: number, place_id: string) => `grant ${n} ${place_id}`

/** People with cards who may pass a gate. */
async function admit(who: readonly number[], place_id: string): Promise<void> {
  const to = new Date(Math.floor(app.clock.now().getTime() / day_ms) * day_ms + 90 * day_ms)
  const windows = [{ from: new Date(0).toISOString(), to: to.toISOString(), weekly: { '1': ['07:00-18:00'] } }]
  await declare(async by => {
    await declareSubjects(by, who.map(n => ({ user_id: user(n), person_kind: 1, user_no: `P${n}`, user_name: `学生${n}`, dept_name: null, live: true })))
    await declareCredentials(by, who.map(n => ({ user_id: user(n), cred_kind: 'card' as const, code: `PC${n}`, usable: true, source: 'cards', source_ref: `card ${n}`, version: 1 })))
    await declareGrants(by, who.map(n => ({ user_id: user(n), place_id, direction: 3 as const, windows, source: 'access', source_ref: grantOf(n, place_id), version: 1, expires_at: to })))
  })
}
const dismiss = (who: readonly number[], place_id: string) => declare(by => revoke(by, 'access', who.map(n => grantOf(n, place_id))))

const ask = (device_id: string, mode: 'diff' | 'verify' | 'rebuild', confirm?: string) => app.call(syncApi.resync, { id: device_id, mode, ...(confirm === undefined ? {} : { confirm }) }, { token: me.token })
const drift = async (device_id: string, more: { resolved?: '1' } = {}) => dataOf(syncApi.drift, await app.call(syncApi.drift, { device_id, ...more }, { token: me.token }))
const listed = async (device_id: string) => dataOf(deviceApi.list, await app.call(deviceApi.list, { page_size: 200 }, { token: me.token })).list.find(one => one.device_id === device_id)
async function proven(device_id: string) {
  expect((await ask(device_id, 'verify')).status).toBe(200)
  await expect.poll(async () => (await drift(device_id)).proof?.state).toBe('done')
  return (await drift(device_id)).proof
}

describe('a whole read-back', () => {
  test('of a device that holds what it is to hold proves every row', async () => {
    const { device_id, place_id } = await aGate()
    await admit([1, 2, 3], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    expect(await proven(device_id)).toMatchObject({ rows_checked: 7, rows_missing: 0, rows_different: 0, rows_foreign: 0 })
    expect(await states(device_id)).toEqual(['proven'])
    expect(await listed(device_id)).toMatchObject({ drift: 0, proof_at: expect.any(String), sync: { proven: 7 } })
  })

  test('finds what is missing and what is different, sends it again, and reads it once more', async () => {
    const { terminal, device_id, place_id } = await aGate()
    await admit([11, 12, 13], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    terminal.store.lose('person', user(11))
    terminal.store.spoil(user(12), 'feedfeedfeedfeed')
    const asked = await ask(device_id, 'verify')
    expect(asked.status).toBe(200)
    await expect.poll(async () => (await drift(device_id, { resolved: '1' })).list.map(one => [one.row_key, one.found, one.resolution]).toSorted()).toEqual([[user(11), 'missing', 'resent'], [user(12), 'different', 'resent']])
    expect(terminal.store.held('person').get(user(12))?.body).toMatchObject({ name: '学生12' })
    expect([await states(device_id), (await drift(device_id)).total]).toEqual([['proven'], 0])
  })

  test('30-A8 finds a person who was added on the device itself; he is left, deleted, or not mentioned again until the next one', async () => {
    const { terminal, device_id, place_id } = await aGate()
    await admit([21], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    for (const key of ['L1', 'L2', 'L3']) terminal.store.enter('person', key, 'abcdabcdabcdabcd')
    expect(await proven(device_id)).toMatchObject({ rows_foreign: 3 })
    const found = (await drift(device_id)).list
    expect(found.map(one => [one.row_key, one.found]).toSorted()).toEqual([['L1', 'foreign'], ['L2', 'foreign'], ['L3', 'foreign']])
    expect((await listed(device_id))?.drift).toBe(3)
    const decide = async (row_key: string, action: 'adopt' | 'delete' | 'ignore') => app.call(syncApi.drift_resolve, { ids: [found.find(one => one.row_key === row_key)?.drift_id ?? ''], action }, { token: me.token })
    for (const [key, action] of [['L1', 'adopt'], ['L2', 'delete'], ['L3', 'ignore']] as const) expect(dataOf(syncApi.drift_resolve, await decide(key, action))).toEqual({ resolved: 1 })
    expect((await decide('L2', 'delete')).status).toBe(404)
    await expect.poll(() => [...terminal.store.held('person').keys()].toSorted()).toEqual([user(21), 'L1', 'L3'])
    expect(await proven(device_id)).toMatchObject({ rows_foreign: 1 })
    expect((await drift(device_id)).list.map(one => one.row_key)).toEqual(['L3'])
  })

  test('of a terminal that does not answer ends as failed, and nothing is taken for lost', async () => {
    const { terminal, device_id, place_id } = await aGate()
    await admit([31], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    terminal.faults.refuse_reads = true
    await ask(device_id, 'verify')
    await expect.poll(async () => (await drift(device_id)).proof?.state).toBe('failed')
    expect(await states(device_id)).toEqual(['applied'])
  })

  test('is asked for every device at night, once', async () => {
    const { device_id, place_id } = await aGate()
    await admit([41], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    const night = (hour: string) => new Date(`2027-03-02T${hour}:59+08:00`)
    const proofs = async () => (await tenant(db => sql`select from sync_proof where school_id = ${school_id} and device_id = ${device_id}`.execute(db))).rows.length
    await tenant(db => askTonight(db, school_id, night('01:59')))
    expect(await proofs()).toBe(0)
    for (const hour of ['04:59', '04:59']) await tenant(db => askTonight(db, school_id, night(hour)))
    await expect.poll(() => states(device_id)).toEqual(['proven'])
    expect(await proofs()).toBe(1)
  })
})

describe('a rebuild', () => {
  test('wants the name of the device, writes every row anew and proves it', async () => {
    const { terminal, device_id, device_name, place_id } = await aGate()
    await admit([51, 52], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    const refused = await ask(device_id, 'rebuild', '别的名称')
    expect([refused.status, refused.body.msg]).toEqual([422, `请输入设备名称“${device_name}”，确认重建`])
    terminal.trace.length = 0
    expect((await ask(device_id, 'rebuild', device_name)).status).toBe(200)
    await expect.poll(() => states(device_id)).toEqual(['proven'])
    await expect.poll(async () => (await drift(device_id)).proof).toMatchObject({ state: 'done', rows_checked: 5, rows_missing: 0 })
    expect(terminal.trace.flatMap(message => message.rows).length).toBe(5)
  })
})

describe('a device that was put somewhere else', () => {
  test('gives up who may not pass there, the old place first, without waiting for a signature; a place that is moved takes its devices along', async () => {
    const { terminal, device_id, place_id } = await aGate()
    const other = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: '另一处', place_kind: 9 }, { token: me.token })).place
    await admit(numbers(4000, 60), place_id)
    await admit([4100], other.place_id)
    await expect.poll(() => count(device_id, 'person', 'applied')).toBe(60)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    expect((await app.call(deviceApi.place, { device_id, place_id: other.place_id, direction: 3 }, { token: me.token })).status).toBe(200)
    await expect.poll(() => [...terminal.store.held('person').keys()]).toEqual([user(4100)])
    expect(dataOf(syncApi.holds, await app.call(syncApi.holds, {}, { token: me.token })).list).toEqual([])
    const gate = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: '南区', place_kind: 9 }, { token: me.token })).place
    await admit([4200], gate.place_id)
    const { row_version } = dataOf(placeApi.detail, await app.call(placeApi.detail, { id: other.place_id }, { token: me.token })).place
    expect((await app.call(placeApi.move, { place_id: other.place_id, superior_id: gate.place_id, row_version }, { token: me.token })).status).toBe(200)
    await expect.poll(() => [...terminal.store.held('person').keys()].toSorted()).toEqual([user(4100), user(4200)])
  })

  test('is not retired while it holds people, unless it is lost; a new one takes its place and its name and is filled when it comes', async () => {
    const { terminal, device_id, device_name, place_id } = await aGate()
    await admit([5000, 5001], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    const { row_version } = dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device_id }, { token: me.token })).device
    const refused = await app.call(deviceApi.retire, { device_id, row_version, reason: '报废' }, { token: me.token })
    expect([refused.status, refused.body.msg]).toEqual([409, '设备上仍有2人的数据未清除，请先清空或登记为遗失'])
    const replaced = dataOf(deviceApi.replace, await app.call(deviceApi.replace, { device_id, row_version, device_sn: 'NEW-GATE', reason: '主板损坏', is_lost: true }, { token: me.token }))
    expect(replaced.device).toMatchObject({ device_name, device_sn: 'NEW-GATE', place_id, lifecycle: 'pending' })
    await expect.poll(() => terminal.is_connected).toBe(false)
    const fresh = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: 'NEW-GATE', secret: replaced.setup?.secret ?? '' })
    terminals.push(fresh)
    await fresh.start()
    await expect.poll(() => [...fresh.store.held('person').keys()].toSorted()).toEqual([user(5000), user(5001)])
  })

  test('that was emptied is retired', async () => {
    const { terminal, device_id, place_id } = await aGate()
    await admit([5100], place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    await app.call(deviceApi.place, { device_id, place_id: null, direction: 3 }, { token: me.token })
    await expect.poll(() => terminal.store.held('person').size).toBe(0)
    await expect.poll(() => states(device_id)).toEqual(['gone'])
    const { row_version } = dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device_id }, { token: me.token })).device
    expect((await app.call(deviceApi.retire, { device_id, row_version, reason: '报废' }, { token: me.token })).status).toBe(200)
  })
})

describe('30-A9 a change that takes most people from a device', () => {
  test('waits for a signature; a lost card and whoever has left go all the same', async () => {
    const { terminal, device_id, device_name, place_id } = await aGate()
    const all = numbers(1000, 100)
    await admit(all, place_id)
    await expect.poll(() => count(device_id, 'person', 'applied')).toBe(100)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    app.clock.advance(moved_ms)
    await declare(async by => {
      await revoke(by, 'cards', ['card 1000'])
      await revoke(by, 'access', all.slice(0, 60).map(n => grantOf(n, place_id)))
    })
    await expect.poll(() => count(device_id, 'person', 'blocked')).toBe(60)
    await declare(by => declareSubjects(by, [{ user_id: user(1001), person_kind: 1, user_no: 'P1001', user_name: '学生1001', dept_name: null, live: false }]))
    await expect.poll(() => terminal.store.held('credential').size).toBe(98)
    await expect.poll(() => terminal.store.held('person').size).toBe(99)
    const [plan, ...others] = dataOf(syncApi.holds, await app.call(syncApi.holds, {}, { token: me.token })).list
    expect([plan, others]).toEqual([{ plan_id: expect.any(String), device_id, device_name, node_path_name: expect.stringContaining('核对门'), persons: 60, persons_total: 100, held_at: expect.any(String), names: numbers(1000, 6).filter(n => n !== 1001).map(n => `学生${n}`) }, []])
    const [row] = dataOf(syncApi.state_rows, await app.call(syncApi.state_rows, { id: device_id, kind: 'person', state: 'blocked' }, { token: me.token })).list
    expect(row).toMatchObject({ want_op: 'delete', sentence: '没有下发：本次删除人数过多，等待确认' })
    const sign = (reason: string) => app.call(syncApi.hold_confirm, { plan_id: plan?.plan_id ?? '', reason }, { token: me.token })
    expect((await sign(' ')).status).toBe(400)
    expect((await sign('毕业班离校')).status).toBe(200)
    await expect.poll(() => terminal.store.held('person').size).toBe(40)
    expect((await sign('毕业班离校')).status).toBe(409)
  })

  test('is over when those people may pass again', async () => {
    const { terminal, device_id, place_id } = await aGate()
    const all = numbers(2000, 60)
    await admit(all, place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    app.clock.advance(moved_ms)
    await dismiss(all, place_id)
    await expect.poll(() => count(device_id, 'person', 'blocked')).toBe(60)
    await admit(all, place_id)
    await expect.poll(async () => dataOf(syncApi.holds, await app.call(syncApi.holds, {}, { token: me.token })).list).toEqual([])
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    expect(terminal.store.held('person').size).toBe(60)
  })

  test('is not held when it is small', async () => {
    const { terminal, device_id, place_id } = await aGate()
    const all = numbers(3000, 60)
    await admit(all, place_id)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    app.clock.advance(moved_ms)
    await dismiss(all.slice(0, 50), place_id)
    await expect.poll(() => terminal.store.held('person').size).toBe(10)
  })
})
