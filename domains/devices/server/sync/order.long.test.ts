import { Vf105Terminal } from '@apps/terminal'
import type { JdevTerminal } from '@apps/terminal'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sessionsPort } from '../link/sessions.ts'
import { wakePlanner } from '../notice.ts'
import { cardOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'
import type { GrantWindow } from './permission.ts'
import { timeOut } from './sender.ts'

const [day_ms, minute_ms, retry_ms] = [86_400_000, 60_000, 11_000]
type Terminal = JdevTerminal | Vf105Terminal
let d: DevicesTest
beforeAll(async () => {
  d = await startDevices()
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const until = new Date(Math.floor(Date.now() / day_ms) * day_ms + 90 * day_ms).toISOString()
const windowOf = (hours: string): GrantWindow => ({ from: new Date(0).toISOString(), to: until, weekly: { 1: [hours], 2: [hours] } })
const [rule_a, rule_b] = [windowOf('07:00-18:00'), windowOf('08:00-20:00')]
const users = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n))

/** Whoever is of a rule may pass a gate by it: the right of the one before is taken back with it. */
function follow(who: readonly string[], place_id: string, rule: string, window: GrantWindow, before?: string): Promise<void> {
  return d.declare(async by => {
    if (before !== undefined) await revoke(by, 'access', who.map(user_id => `${before} ${user_id}`))
    await declareGrants(by, who.map(user_id => ({ user_id, place_id, direction: 3 as const, windows: [window], source: 'access', source_ref: `${rule} ${user_id}`, version: 1, expires_at: new Date(window.to) })))
  })
}

/** By what people may pass as a terminal holds it: the times of the permissions that it has and that they have. */
function rightsOf(terminal: Terminal, who: readonly string[]): string[] {
  if (terminal instanceof Vf105Terminal) return who.map(user_id => (terminal.store.users.get(user_id)?.permissionIds ?? []).filter(id => terminal.store.permissions.has(id)).toSorted().join('+'))
  const { store } = terminal
  return who.map(user_id => [store.held('person').get(user_id)?.body?.permission_ids ?? []].flat().map(String).filter(id => store.held('permission').has(id)).toSorted().join('+'))
}

/** Notes every state of the rights between two messages, from now on. */
function watch(terminal: Terminal, who: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const heard = terminal instanceof Vf105Terminal ? terminal.device : terminal
  const receive = heard.receive.bind(heard)
  heard.receive = (topic, bytes) => {
    receive(topic, bytes)
    for (const rights of rightsOf(terminal, who)) seen.add(rights)
  }
  return seen
}

/** What went to a terminal of permissions and people, in its order. */
function wireOf(terminal: Terminal): string[] {
  if (!(terminal instanceof Vf105Terminal)) return terminal.trace.flatMap(message => message.rows.map(row => `${row.op} ${row.k}`))
  const words: Readonly<Record<string, string>> = { insertPermission: 'put permission', insertUser: 'put person', delPermission: 'delete permission' }
  return terminal.device.trace.flatMap(({ action }) => words[action] ?? [])
}

describe('30-A6 a class that goes from one rule to another', () => {
  test.each(['jdev', 'vf105'] as const)('has at no moment neither right nor another one, on a terminal of %s', async driver => {
    const { terminal, device_id, place_id } = await (driver === 'jdev' ? d.aGate() : d.aVf105())
    const who = users(driver === 'jdev' ? 20_000 : 30_000, 250)
    await d.declare(by => declareSubjects(by, who.map(user_id => subjectOf(user_id))))
    await follow(who, place_id, 'A', rule_a)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    const [a = ''] = rightsOf(terminal, who)
    const seen = watch(terminal, who)
    await follow(who, place_id, 'B', rule_b, 'A')
    await expect.poll(() => d.states(device_id)).toEqual(['applied', 'gone'])
    const [b = ''] = rightsOf(terminal, who)
    expect([a === b, a === '', b === ''].some(Boolean)).toBe(false)
    expect([...seen].toSorted()).toEqual([a, b].toSorted())
    const wire = wireOf(terminal)
    expect(wire.filter((word, at) => word !== wire[at - 1]).slice(-3)).toEqual(['put permission', 'put person', 'delete permission'])
  })

  test('keeps the old one while somebody of it has not arrived at the new one', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    const who = users(21_000, 3)
    await d.declare(by => declareSubjects(by, who.map(user_id => subjectOf(user_id))))
    await follow(who, place_id, 'A', rule_a)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    const seen = watch(terminal, who)
    terminal.faults.refuse = new Map([['21001', { status: 'retry', code: 'busy', text: '' }]])
    await follow(who, place_id, 'B', rule_b, 'A')
    await expect.poll(() => seen.size).toBe(2)
    // Something else goes out meanwhile.
    await d.declare(by => declareSubjects(by, [subjectOf('21002', { user_name: '改名' })]))
    await expect.poll(() => terminal.store.held('person').get('21002')?.body?.name).toBe('改名')
    expect([terminal.store.held('permission').size, rightsOf(terminal, who).includes('')]).toEqual([2, false])
    terminal.faults.refuse = new Map()
    d.app.clock.advance(retry_ms)
    await expect.poll(() => d.states(device_id)).toEqual(['applied', 'gone'])
    expect([terminal.store.held('permission').size, seen.size]).toEqual([1, 2])
  })
})

test('30-A12 a visitor’s right ends on the terminal itself, though nobody is there to take it back', async () => {
  const gates = [await d.aGate(), await d.aVf105()]
  const ends = Math.floor(Date.now() / minute_ms + 60) * minute_ms
  for (const [n, { place_id }] of gates.entries()) {
    const user_id = String(40_000 + n)
    await d.declare(async by => {
      await declareSubjects(by, [subjectOf(user_id)])
      await declareCredentials(by, [cardOf(user_id, { code: `VISIT${n}` })])
    })
    await follow([user_id], place_id, 'visit', { from: new Date(0).toISOString(), to: new Date(ends).toISOString() })
  }
  for (const { device_id } of gates) await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  await d.stopAll()
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
function wasLetIn(terminal: Terminal): boolean {
  if (terminal instanceof Vf105Terminal) return terminal.store.records.at(-1)?.result === 0
  return terminal.store.oldest(10).at(-1)?.result === 1
}

test('30-A7 a put that is not answered in time is unknown; the next message asks for it and nothing is sent twice', async () => {
  const { terminal, device_id, place_id, sn } = await d.aGate()
  await expect.poll(() => terminal.trace.some(message => message.type === 'sync.config')).toBe(true)
  Object.assign(terminal.faults, { drop_replies: 1, refuse_reads: true })
  terminal.trace.length = 0
  await d.declare(by => declareSubjects(by, [subjectOf('24000')]))
  await follow(['24000'], place_id, 'A', rule_a)
  await expect.poll(() => terminal.store.held('permission').size).toBe(1)
  const sessions = sessionsPort.one(d.app.running.app)
  const session = sessions.of(sn)
  if (!session) throw new Error('nobody is there')
  await sessions.queue(sn, () => timeOut(sessions, session, session.in_flight?.id ?? ''))
  await expect.poll(() => d.states(device_id)).toContain('unknown')
  await expect.poll(() => terminal.trace.map(message => message.type).slice(0, 2)).toEqual(['sync.rows', 'sync.bucket'])
  terminal.faults.refuse_reads = false
  d.app.clock.advance(retry_ms)
  await expect.poll(() => d.states(device_id)).toEqual(['proven'])
  const sent = terminal.trace.flatMap(message => message.rows.map(row => `${row.op} ${row.k} ${row.key}`))
  expect([sent.length, new Set(sent).size]).toEqual([2, 2])
})

test('what a terminal was to forget is not taken for forgotten when it does not say what it holds', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  await d.declare(by => declareSubjects(by, [subjectOf('22000')]))
  await follow(['22000'], place_id, 'A', rule_a)
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  Object.assign(terminal.faults, { refuse_reads: true, drop_replies: 1 })
  await d.declare(by => revoke(by, 'access', ['A 22000']))
  await expect.poll(() => terminal.store.held('person').size).toBe(0)
  await terminal.stop()
  terminal.store.enter('person', '22000', 'abcdabcdabcdabcd')
  terminal.trace.length = 0
  await terminal.start()
  // It is asked and says that it is busy; what comes after that goes out.
  await d.declare(by => declareSubjects(by, [subjectOf('22001')]))
  await follow(['22001'], place_id, 'A', rule_a)
  await expect.poll(() => terminal.store.held('person').has('22001')).toBe(true)
  expect(terminal.trace[0]?.type).toBe('sync.bucket')
  expect(await d.states(device_id)).toContain('unknown')
  terminal.faults.refuse_reads = false
  d.app.clock.advance(retry_ms)
  await expect.poll(() => d.states(device_id)).toEqual(['applied', 'gone'])
  expect([...terminal.store.held('person').keys()]).toEqual(['22001'])
})

test('a change that is not committed yet when its device is derived for another one is derived after it', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  await d.declare(by => declareSubjects(by, [subjectOf('23000')]))
  await follow(['23000'], place_id, 'A', rule_a)
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  const due = async () => (await d.tenant(db => sql`select from sync_due where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))).rows.length
  await d.tenant(db => sql`insert into sync_due (school_id, device_id, user_id, due_at) values (${d.school_id}, ${device_id}, 23000, now())`.execute(db))
  let letGo: () => void = () => undefined
  const free = new Promise<void>(resolve => {
    letGo = resolve
  })
  let change = Promise.resolve()
  await new Promise<void>(begun => {
    change = d.declare(async by => {
      await declareSubjects(by, [subjectOf('23000', { user_name: '改名' })])
      begun()
      await free
    })
  })
  // The embedded engine has one transaction at a time: nobody derives in the middle of another one.
  const is_one_at_a_time = d.app.running.database.engine === 'pglite'
  if (!is_one_at_a_time) await d.tenant(db => wakePlanner({ db, school_id: d.school_id }))
  await expect.poll(async () => (is_one_at_a_time ? 0 : due())).toBe(0)
  letGo()
  await change
  await expect.poll(() => terminal.store.held('person').get('23000')?.body?.name).toBe('改名')
})
