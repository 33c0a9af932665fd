import { dataOf } from '@apps/server/testing'
import { deviceApi } from '@campus/devices/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sessionsPort } from '../link/sessions.ts'
import { cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'

let d: DevicesTest
beforeAll(async () => {
  d = await startDevices()
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const admit = (from: number, count: number, place_id: string) => d.declare(async by => {
  const users = Array.from({ length: count }, (_, n) => String(from + n))
  await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
  await declareCredentials(by, users.map(user_id => cardOf(user_id)))
  await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
})
const syncOf = async (place_id: string) => dataOf(deviceApi.list, await d.app.call(deviceApi.list, { place_id }, { token: d.me.token })).list[0]?.sync

test('30-A10 a terminal that has lost everything is filled by itself, and what is on its way has an end by the pace of the device', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  await admit(10_000, 300, place_id)
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  await terminal.stop()
  terminal.store.wipe()
  await terminal.start()
  await expect.poll(() => [terminal.store.held('person').size, terminal.store.held('credential').size, terminal.store.held('permission').size]).toEqual([300, 300, 1])
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  expect(await syncOf(place_id)).toMatchObject({ pending: 0, eta_s: null })
  await sessionsPort.one(d.app.running.app).flush()
  // Its pace is known: so many rows in so many milliseconds. Slowed down to ten rows a second, what is left of 200 people has an end.
  await d.tenant(db => sql`update device_pace set spent_ms = rows_done * 100 where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  terminal.faults.silent = true
  await admit(11_000, 200, place_id)
  await expect.poll(async () => (await syncOf(place_id))?.pending).toBe(400)
  expect((await syncOf(place_id))?.eta_s).toBeGreaterThan(0)
  // The command under way has had all of its time: what is left is the rest, and all of it when it is found unanswered meanwhile.
  d.app.clock.advance(60_000)
  const sent = () => d.tenant(db => sql<{ n: number }>`select count(*)::int as n from sync_row where school_id = ${d.school_id} and device_id = ${device_id} and state = 'sent'`.execute(db))
  await expect.poll(async () => {
    const [found, { rows: [of] }] = [await syncOf(place_id), await sent()]
    return (found?.eta_s ?? 0) - Math.round((400 - (of?.n ?? 0)) / 10)
  }).toBe(0)
  await terminal.stop()
  await expect.poll(async () => (await syncOf(place_id))?.eta_s).toBeNull()
})

test('with every place taken a change waits and a lost card does not; the next free place goes to who waits', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  await admit(12_000, 2, place_id)
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  const sessions = sessionsPort.one(d.app.running.app)
  const { flights } = sessions
  // The terminal of the test before has its place until its session is over.
  await expect.poll(() => sessions.all().length).toBe(1)
  const [session] = sessions.all()
  if (!session) throw new Error('nobody is here')
  const others = Array.from({ length: 160 }, () => ({ ...session }))
  expect(others.every(other => flights.take(other, false))).toBe(true)
  terminal.trace.length = 0
  await d.declare(by => declareSubjects(by, [subjectOf('12000', { user_name: '改名' })]))
  await expect.poll(() => d.states(device_id)).toEqual(['applied', 'pending'])
  await d.declare(by => revoke(by, 'cards', ['card 12001']))
  await expect.poll(() => [...terminal.store.held('credential').keys()].length).toBe(1)
  await expect.poll(() => d.states(device_id)).toEqual(['applied', 'gone', 'pending'])
  for (const other of others) flights.give(other)
  await expect.poll(() => d.states(device_id)).toEqual(['applied', 'gone'])
  expect(terminal.trace.flatMap(message => message.rows.map(row => [row.op, row.k]))).toEqual([['delete', 'credential'], ['put', 'person']])
})
