import { declareCredentials, declareGrants, declareSubjects } from '@campus/devices/server'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { loadConfig } from '@kit/server/config'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeApp, openConfigured } from '../boot.ts'
import { connectDevice } from '../testing/device-client.ts'
import { dataOf, send, test_settings } from './client.ts'
import { freePort } from './nginx.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { readSaved, startFleet } from './terminal-process.ts'
import type { Fleet, FleetProcess } from './terminal-process.ts'

const patience_ms = 600_000
const day_ms = 86_400_000
const [gates, people, kills] = [3, 30, 20]
const [backlog, a_message, in_flight_ms] = [5000, 100, 30]
const passes_per_minute = 3000
/** Long enough that something is under way, and for a server to have come back. */
const any_moment_ms = 600

const Ack = z.object({ type: z.literal('ack'), body: z.object({ upto: z.number() }) })

let postgres: FaultyPostgres
let school: Prepared
let database: Database
let folder: string
let fleet: Fleet
const device_ids: string[] = []
/** a terminal played by hand, and how far its records were acknowledged */
const hand = { sn: 'KILL-HAND', secret: '', device_id: '' }
let mqtt_port = 0
let acked = 0
let server: ServerProcess | undefined
let terminals: FleetProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-fleet-'))
  postgres = await makePostgres()
  const port = await freePort()
  mqtt_port = port
  const known: Fleet['terminals'] = []
  let place_id = ''
  school = await prepareSchool({ ...postgres.settings, CAMPUS_MQTT_PORT: String(port) }, async ({ url, token }) => {
    const root = dataOf(placeApi.tree, await send(url, placeApi.tree, {}, { token })).list[0]?.place_id ?? ''
    place_id = dataOf(placeApi.create, await send(url, placeApi.create, { superior_id: root, place_name: '南门', place_kind: 9 }, { token })).place.place_id
    for (let n = 0; n < gates; n += 1) {
      const draft = { device_sn: `KILL-${n}`, device_name: `南门${n}`, device_type: '01' as const, model_code: 'JD-F10', place_id }
      const { device, setup } = dataOf(deviceApi.create, await send(url, deviceApi.create, draft, { token }))
      device_ids.push(device.device_id)
      known.push({ sn: draft.device_sn, secret: setup?.secret ?? '' })
    }
    const draft = { device_sn: hand.sn, device_name: '手动终端', device_type: '01' as const, model_code: 'JD-F10', place_id: root }
    const { device, setup } = dataOf(deviceApi.create, await send(url, deviceApi.create, draft, { token }))
    Object.assign(hand, { secret: setup?.secret ?? '', device_id: device.device_id })
  })
  database = await openConfigured(loadConfig({ ...test_settings, ...school.settings }))
  fleet = { url: `mqtt://127.0.0.1:${port}`, prefix: 'jdev', folder, pulse: passes_per_minute, terminals: known }
  await admit(place_id)
}, patience_ms)
afterAll(async () => {
  await terminals?.kill()
  await endServer(server)
  await database?.close()
  await postgres?.remove()
  await school?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** People with cards who may pass; told again, under another name, it is a change for every terminal. */
async function admit(place_id: string, name = '学生'): Promise<void> {
  const env = { ...test_settings, ...school.settings }
  const app = await makeApp({ config: loadConfig(env), env })
  const now = new Date()
  const to = new Date(Math.floor(now.getTime() / day_ms) * day_ms + 90 * day_ms)
  const windows = [{ from: new Date(0).toISOString(), to: to.toISOString(), weekly: { '1': ['00:00-23:59'] } }]
  const who = Array.from({ length: people }, (_, n) => String(9000 + n))
  await database.tenant(school_id, async db => {
    const by = { app, db, school_id, now }
    await declareSubjects(by, who.map(user_id => ({ user_id, person_kind: 1, user_no: `K${user_id}`, user_name: `${name}${user_id}`, dept_name: null, live: true })))
    if (place_id === '') return
    await declareCredentials(by, who.map(user_id => ({ user_id, cred_kind: 'card' as const, code: `KC${user_id}`, usable: true, source: 'cards', source_ref: `card ${user_id}`, version: 1 })))
    await declareGrants(by, who.map(user_id => ({ user_id, place_id, direction: 3 as const, windows, source: 'access', source_ref: `grant ${user_id}`, version: 1, expires_at: to })))
  })
}

const ask = <R>(work: (rows: (text: ReturnType<typeof sql>) => Promise<Record<string, unknown>[]>) => Promise<R>) =>
  database.tenant<unknown, R>(school_id, db => work(async text => (await sql<Record<string, unknown>>`${text}`.execute(db)).rows))
const passes = () => ask(async rows => Number((await rows(sql`select count(*) as count from pass_event where school_id = ${school_id}`))[0]?.['count']))

test('30-A14 31-A18 kill -9 of server with its broker and of the terminals, twenty times under load: no record is lost or doubled, none of a backlog of 5,000 that ten of the kills meet in its upload, and every terminal holds what it is to hold', async () => {
  server = await startServer(school.settings)
  terminals = startFleet(fleet)
  await expect.poll(passes, { timeout: patience_ms }).toBeGreaterThan(0)
  for (let time = 0; time < kills; time += 1) {
    await admit('', `改名${time}号`)
    await pause(randomInt(any_moment_ms))
    if (time % 2 === 0) {
      await terminals.kill()
      terminals = startFleet(fleet)
    } else {
      await tellBacklog(((time + 1) / kills) * backlog, false)
      await endServer(server)
      server = await startServer(school.settings)
    }
    const before = await passes()
    await expect.poll(passes, { timeout: patience_ms }).toBeGreaterThan(before)
  }
  await tellBacklog(backlog, true)
  await terminals.end()
  terminals = startFleet({ ...fleet, pulse: 0 })
  const { url } = server
  const { token } = school
  for (const id of device_ids) {
    expect((await send(url, syncApi.resync, { id, mode: 'verify' }, { token })).status).toBe(200)
    await expect.poll(async () => dataOf(syncApi.drift, await send(url, syncApi.drift, { device_id: id }, { token })).proof, { timeout: patience_ms }).toMatchObject({ state: 'done', rows_checked: 1 + 2 * people, rows_missing: 0, rows_different: 0, rows_foreign: 0 })
  }
  await terminals.end()
  terminals = undefined
  await checkRecords()
}, patience_ms)

/** A record that is told again is the same record: it has the time at which it was made. */
const began = Date.now()
const madeAt = (seq: number) => new Date(began + seq).toISOString()

/** A terminal played by hand tells its backlog up to a number. With `waits` until all of it is acknowledged; else the last message is under way in the moment in which the server is killed. */
async function tellBacklog(upto: number, waits: boolean): Promise<void> {
  const client = await connectDevice(mqtt_port, { ...hand, epoch: 'hand' })
  await client.say('up/hello', 'hello', { sn: hand.sn, model: 'JD-F10', store_id: 'hand' })
  const heard = () => Math.max(acked, ...client.told.map(({ message }) => Ack.safeParse(message).data?.body.upto ?? 0))
  for (let from = acked; from < upto; from += a_message) {
    const items = Array.from({ length: a_message }, (_, n) => ({ seq: from + n + 1, type: 'pass', at: madeAt(from + n + 1), user_id: '9000', verify: 2, result: 1 }))
    const said = client.say('up/event', 'event', { items }).catch(() => undefined)
    if (from + a_message >= upto && !waits) break
    await said
    await expect.poll(heard, { timeout: patience_ms }).toBe(from + a_message)
  }
  if (!waits) await pause(randomInt(in_flight_ms))
  acked = heard()
  void client.close().catch(() => undefined)
}

/** Every record that a terminal has made stands in the database, once, and none is left on it. */
async function checkRecords(): Promise<void> {
  let total = 0
  for (const [n, { sn }] of fleet.terminals.entries()) {
    const { epoch, seq, lost, waiting } = readSaved(fleet, sn)
    const stored = await ask(rows => rows(sql`select device_seq from pass_event where school_id = ${school_id} and device_id = ${device_ids[n] ?? ''}`))
    expect(stored.map(row => row['device_seq']).toSorted()).toEqual(Array.from({ length: seq }, (_, at) => `${epoch}:${at + 1}`).toSorted())
    expect([waiting, lost]).toEqual([[], 0])
    total += seq
  }
  const told = await ask(rows => rows(sql`select device_seq from pass_event where school_id = ${school_id} and device_id = ${hand.device_id}`))
  expect(told.map(row => row['device_seq']).toSorted()).toEqual(Array.from({ length: backlog }, (_, at) => `hand:${at + 1}`).toSorted())
  process.stdout.write(`${total} passes of ${gates} terminals over ${kills} kills\n`)
  expect(await ask(rows => rows(sql`select reason from dead_letter where school_id = ${school_id}`))).toEqual([])
}
