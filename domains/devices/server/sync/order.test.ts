import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { wakePlanner } from '../notice.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'
import type { Declarer } from './declare.ts'
import type { GrantWindow } from './permission.ts'

const school_id = test_schools.a
const [day_ms, minute_ms, retry_ms] = [86_400_000, 60_000, 11_000]
const terminals: (JdevTerminal | Vf105Terminal)[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit'], places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const drivers = { jdev: ['JD-F10', JdevTerminal], vf105: ['VF105', Vf105Terminal] } as const

/** A gate of its own with a terminal that is there. */
async function aGate(driver: keyof typeof drivers) {
  made += 1
  const [model_code, Terminal] = drivers[driver]
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `门${made}`, place_kind: 9 }, { token: me.token }))
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `O${made}`, device_name: `门${made}`, device_type: '01', model_code, place_id: place.place_id }, { token: me.token }))
  const terminal = new Terminal({ url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  await terminal.start()
  await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token: me.token })).device.device_state).toBe('1')
  return { terminal, device_id: device.device_id, place_id: place.place_id }
}

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const declare = (work: (by: Declarer) => Promise<void>) => tenant(db => work({ app: app.running.app, db, school_id, now: app.clock.now() }))
const states = (device_id: string) => tenant(async db => (await sql<{ state: string }>`select distinct state from sync_row where school_id = ${school_id} and device_id = ${device_id} order by 1`.execute(db)).rows.map(row => row.state))
const until = new Date(Math.floor(Date.now() / day_ms) * day_ms + 90 * day_ms).toISOString()
const windowOf = (hours: string): GrantWindow => ({ from: new Date(0).toISOString(), to: until, weekly: { 1: [hours], 2: [hours] } })
const [rule_a, rule_b] = [windowOf('07:00-18:00'), windowOf('08:00-20:00')]
const users = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n))
const subject = (user_id: string, user_name = `学生${user_id}`) => ({ user_id, person_kind: 1, user_no: `N${user_id}`, user_name, dept_name: '一年级1班', live: true })

/** Whoever is of a rule may pass a gate by it: the right of the one before is taken back with it. */
function follow(who: readonly string[], place_id: string, rule: string, window: GrantWindow, before?: string): Promise<void> {
  return declare(async by => {
    if (before !== undefined) await revoke(by, 'access', who.map(user_id => `${before} ${user_id}`))
    await declareGrants(by, who.map(user_id => ({ user_id, place_id, direction: 3 as const, windows: [window], source: 'access', source_ref: `${rule} ${user_id}`, version: 1, expires_at: new Date(window.to) })))
  })
}

/** By what people may pass as a terminal holds it: the times of the permissions that it has and that they have. */
function rightsOf(terminal: JdevTerminal | Vf105Terminal, who: readonly string[]): string[] {
  if (terminal instanceof Vf105Terminal) return who.map(user_id => (terminal.store.users.get(user_id)?.permissionIds ?? []).filter(id => terminal.store.permissions.has(id)).toSorted().join('+'))
  const { store } = terminal
  return who.map(user_id => [store.held('person').get(user_id)?.body?.permission_ids ?? []].flat().map(String).filter(id => store.held('permission').has(id)).toSorted().join('+'))
}

/** Notes every state of the rights between two messages, from now on. */
function watch(terminal: JdevTerminal | Vf105Terminal, who: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const heard = terminal instanceof Vf105Terminal ? terminal.device : terminal
  const receive = heard.receive.bind(heard)
  heard.receive = (topic, bytes) => {
    receive(topic, bytes)
    for (const rights of rightsOf(terminal, who)) seen.add(rights)
  }
  return seen
}

describe('30-A6 a class that goes from one rule to another', () => {
  test.each(['jdev', 'vf105'] as const)('has at no moment neither right nor another one, on a terminal of %s', async driver => {
    const { terminal, device_id, place_id } = await aGate(driver)
    const who = users(driver === 'jdev' ? 20_000 : 30_000, 250)
    await declare(by => declareSubjects(by, who.map(user_id => subject(user_id))))
    await follow(who, place_id, 'A', rule_a)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    const [a = ''] = rightsOf(terminal, who)
    const seen = watch(terminal, who)
    await follow(who, place_id, 'B', rule_b, 'A')
    await expect.poll(() => states(device_id)).toEqual(['applied', 'gone'])
    const [b = ''] = rightsOf(terminal, who)
    expect([a === b, a === '', b === ''].some(Boolean)).toBe(false)
    expect([...seen].toSorted()).toEqual([a, b].toSorted())
    if (terminal instanceof Vf105Terminal) return
    const wire = terminal.trace.slice(-4).flatMap(message => message.rows.map(row => `${row.op} ${row.k}`))
    expect(wire.filter((word, at) => word !== wire[at - 1]).slice(-3)).toEqual(['put permission', 'put person', 'delete permission'])
  })

  test('keeps the old one while somebody of it has not arrived at the new one', async () => {
    const { terminal, device_id, place_id } = await aGate('jdev')
    if (terminal instanceof Vf105Terminal) throw new Error('another terminal was wanted')
    const who = users(21_000, 3)
    await declare(by => declareSubjects(by, who.map(user_id => subject(user_id))))
    await follow(who, place_id, 'A', rule_a)
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    const seen = watch(terminal, who)
    terminal.faults.refuse = new Map([['21001', { status: 'retry', code: 'busy', text: '' }]])
    await follow(who, place_id, 'B', rule_b, 'A')
    await expect.poll(() => seen.size).toBe(2)
    // Something else goes out meanwhile.
    await declare(by => declareSubjects(by, [subject('21002', '改名')]))
    await expect.poll(() => terminal.store.held('person').get('21002')?.body?.name).toBe('改名')
    expect([terminal.store.held('permission').size, rightsOf(terminal, who).includes('')]).toEqual([2, false])
    terminal.faults.refuse = new Map()
    app.clock.advance(retry_ms)
    await expect.poll(() => states(device_id)).toEqual(['applied', 'gone'])
    expect([terminal.store.held('permission').size, seen.size]).toEqual([1, 2])
  })
})

test('30-A12 a visitor’s right ends on the terminal itself, though nobody is there to take it back', async () => {
  const gates = [await aGate('jdev'), await aGate('vf105')]
  const ends = Math.floor(Date.now() / minute_ms + 60) * minute_ms
  for (const [n, { place_id }] of gates.entries()) {
    const user_id = String(40_000 + n)
    await declare(async by => {
      await declareSubjects(by, [subject(user_id)])
      await declareCredentials(by, [{ user_id, cred_kind: 'card', code: `VISIT${n}`, usable: true, source: 'cards', source_ref: `visit ${n}`, version: 1 }])
    })
    await follow([user_id], place_id, 'visit', { from: new Date(0).toISOString(), to: new Date(ends).toISOString() })
  }
  for (const { device_id } of gates) await expect.poll(() => states(device_id)).toEqual(['applied'])
  await Promise.all(terminals.map(terminal => terminal.stop()))
  for (const [before_ms, passes] of [[-90_000, true], [30_000, false]] as const) {
    for (const [n, { terminal }] of gates.entries()) {
      const { faults } = terminal instanceof Vf105Terminal ? terminal.device : terminal
      faults.clock_offset_ms = ends + before_ms - Date.now()
      if (terminal instanceof Vf105Terminal) terminal.device.present('200', `VISIT${n}`)
      else terminal.present('card', `VISIT${n}`)
      expect([n, wasLetIn(terminal)]).toEqual([n, passes])
    }
  }
})

/** Whether the last who was there was let in. */
function wasLetIn(terminal: JdevTerminal | Vf105Terminal): boolean {
  if (terminal instanceof Vf105Terminal) return terminal.store.records.at(-1)?.result === 0
  return terminal.store.oldest(10).at(-1)?.result === 1
}

test('what a terminal was to forget is not taken for forgotten when it does not say what it holds', async () => {
  const { terminal, device_id, place_id } = await aGate('jdev')
  if (terminal instanceof Vf105Terminal) throw new Error('another terminal was wanted')
  await declare(by => declareSubjects(by, [subject('22000')]))
  await follow(['22000'], place_id, 'A', rule_a)
  await expect.poll(() => states(device_id)).toEqual(['applied'])
  Object.assign(terminal.faults, { refuse_reads: true, drop_replies: 1 })
  await declare(by => revoke(by, 'access', ['A 22000']))
  await expect.poll(() => terminal.store.held('person').size).toBe(0)
  await terminal.stop()
  terminal.store.enter('person', '22000', 'abcdabcdabcdabcd')
  terminal.trace.length = 0
  await terminal.start()
  // It is asked and says that it is busy; what comes after that goes out.
  await declare(by => declareSubjects(by, [subject('22001')]))
  await follow(['22001'], place_id, 'A', rule_a)
  await expect.poll(() => terminal.store.held('person').has('22001')).toBe(true)
  expect(terminal.trace[0]?.type).toBe('sync.bucket')
  expect(await states(device_id)).toContain('unknown')
  terminal.faults.refuse_reads = false
  app.clock.advance(retry_ms)
  await expect.poll(() => states(device_id)).toEqual(['applied', 'gone'])
  expect([...terminal.store.held('person').keys()]).toEqual(['22001'])
})

test('a change that is not committed yet when its device is derived for another one is derived after it', async () => {
  const { terminal, device_id, place_id } = await aGate('jdev')
  if (terminal instanceof Vf105Terminal) throw new Error('another terminal was wanted')
  await declare(by => declareSubjects(by, [subject('23000')]))
  await follow(['23000'], place_id, 'A', rule_a)
  await expect.poll(() => states(device_id)).toEqual(['applied'])
  const due = async () => (await tenant(db => sql`select from sync_due where school_id = ${school_id} and device_id = ${device_id}`.execute(db))).rows.length
  await tenant(db => sql`insert into sync_due (school_id, device_id, user_id, due_at) values (${school_id}, ${device_id}, 23000, now())`.execute(db))
  let letGo: () => void = () => undefined
  const free = new Promise<void>(resolve => {
    letGo = resolve
  })
  let change = Promise.resolve()
  await new Promise<void>(begun => {
    change = declare(async by => {
      await declareSubjects(by, [subject('23000', '改名')])
      begun()
      await free
    })
  })
  // The embedded engine has one transaction at a time: nobody derives in the middle of another one.
  const is_one_at_a_time = app.running.database.engine === 'pglite'
  if (!is_one_at_a_time) await tenant(db => wakePlanner({ db, school_id }))
  await expect.poll(async () => (is_one_at_a_time ? 0 : due())).toBe(0)
  letGo()
  await change
  await expect.poll(() => terminal.store.held('person').get('23000')?.body?.name).toBe('改名')
})
