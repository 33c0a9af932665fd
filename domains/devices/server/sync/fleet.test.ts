import { dataOf } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi, withdrawalApi } from '@campus/devices/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFleet, cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'
import { dueWhole } from './due.ts'

/** Forty terminals that are there and one that will be away, among all devices of a school. */
const [fleet_size, all_devices, page, passes_each] = [41, 617, 300, 25] as const
let d: DevicesTest
let place_id: string
let terminals: JdevTerminal[]
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.sync.view'] })
  place_id = await d.aPlace()
  const ways = await aFleet(d, all_devices, place_id)
  terminals = ways.slice(0, fleet_size).map(way => new JdevTerminal(way))
})
afterAll(async () => {
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await d.close()
})

const count = async (query: ReturnType<typeof sql<{ n: number }>>) => (await d.tenant(db => query.execute(db))).rows[0]?.n
const withState = (user_id: string, state: string) => count(sql`select count(*)::int as n from sync_row where school_id = ${d.school_id} and user_id = ${user_id} and kind = 'credential' and state = ${state}`)

test('31-A19 a fleet that connects at once is there to the last, and every pass that all of it tell together is stored once', async () => {
  await Promise.all(terminals.map(terminal => terminal.start()))
  await expect.poll(() => count(sql`select count(*)::int as n from device where school_id = ${d.school_id} and online`)).toBe(fleet_size)
  for (let n = 0; n < passes_each; n += 1) for (const terminal of terminals) terminal.pass({ user_id: '7001', verify: 2, result: 1 })
  await expect.poll(() => terminals.filter(terminal => terminal.store.waiting > 0).length).toBe(0)
  const { rows } = await d.tenant(db => sql<{ devices: number; passes: number; least: number }>`
    select count(*)::int as devices, sum(n)::int as passes, min(n)::int as least from (select count(*) as n from pass_event where school_id = ${d.school_id} group by device_id) e`.execute(db))
  expect(rows).toEqual([{ devices: fleet_size, passes: fleet_size * passes_each, least: passes_each }])
})

test('30-A3 a lost card is deleted and confirmed on forty terminals, and on the one that was away before anything is put; until then that one is named', async () => {
  const users = ['7001', '7002', '7003']
  await d.declare(async by => {
    await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
    await declareCredentials(by, users.map(user_id => cardOf(user_id)))
    await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
  })
  await expect.poll(() => terminals.every(terminal => terminal.store.held('credential').size === users.length)).toBe(true)
  const [away, ...here] = terminals
  if (!away) throw new Error('nobody is there')
  await away.stop()
  await d.declare(by => revoke(by, 'cards', ['card 7001']))
  await expect.poll(() => here.filter(terminal => terminal.store.held('credential').size === users.length).length).toBe(0)
  await expect.poll(() => withState('7001', 'gone')).toBe(here.length)
  // The door that was away still opens for it, and is named to whoever looks after it; what is not gone everywhere has taken no time yet.
  const withdrawn = async (token = d.me.token) => dataOf(withdrawalApi.read, await d.app.call(withdrawalApi.read, {}, { token }))
  const elsewhere = await d.app.as({ school_id: d.school_id, codes: ['devices.sync.view'], places: [await d.aPlace()] })
  expect([(await withdrawn()).list.map(({ device_name, device_state, persons, names }) => [device_name, device_state, persons, names]), (await withdrawn()).time.done, (await withdrawn(elsewhere.token)).list]).toEqual([[['成队终端0', '0', 1, ['学生7001']]], 0, []])
  await d.declare(by => declareSubjects(by, [subjectOf('7002', { user_name: '改名' })]))
  away.trace.length = 0
  await away.start()
  await expect.poll(() => away.store.held('person').get('7002')?.body?.name).toBe('改名')
  expect(away.trace.flatMap(message => message.rows.map(row => `${row.op} ${row.k}`))).toEqual(['delete credential', 'put person'])
  await expect.poll(() => withdrawn()).toMatchObject({ list: [], time: { done: 1 } })
})

test('a whole fleet at which something has changed is derived in parts, each terminal of it', async () => {
  await d.tenant(db => sql`update subject set user_name = '全校改名' where school_id = ${d.school_id} and user_id = 7003`.execute(db))
  await d.declare(async by => {
    const { rows } = await sql<{ device_id: string }>`select device_id::text as device_id from device where school_id = ${d.school_id} and lifecycle = 'active'`.execute(by.db)
    await dueWhole(by, rows.map(row => row.device_id))
  })
  await expect.poll(() => terminals.filter(terminal => terminal.store.held('person').get('7003')?.body?.name === '全校改名').length).toBe(fleet_size)
})

test('30-A18 every device of 617 stands on exactly one page of the list, with the counts of its rows', async () => {
  const listed = async (page_index: number) => dataOf(deviceApi.list, await d.app.call(deviceApi.list, { place_id, page_index, page_size: page }, { token: d.me.token }))
  const pages = [await listed(1), await listed(2), await listed(3)]
  const rows = pages.flatMap(one => one.list)
  expect([pages.map(one => one.total), rows.length, new Set(rows.map(row => row.device_id)).size]).toEqual([[all_devices, all_devices, all_devices], all_devices, all_devices])
  expect(rows.filter(row => row.sync.applied > 0).length).toBe(fleet_size)
})
