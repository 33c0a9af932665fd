import { declareCredentials, declareGrants, declareSubjects } from '@campus/devices/server'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { loadConfig } from '@kit/server/config'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApp, openConfigured } from '../boot.ts'
import type { Mosquitto } from '../testing/mosquitto.ts'
import { exportTo, outsideSetting, sampleMosquitto } from '../testing/sample-mosquitto.ts'
import { dataOf, send, test_settings } from './client.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { readSaved, startFleet } from './terminal-process.ts'
import type { Fleet, FleetProcess } from './terminal-process.ts'

const patience_ms = 240_000
const [day_ms, passes_per_minute] = [86_400_000, 3000] as const
const models = ['JD-F10', 'JD-F10', 'VF105'] as const
const user_id = '9100'

let postgres: FaultyPostgres
let mosquitto: Mosquitto
let school: Prepared
let database: Database
let place_id = ''
const known: { device_id: string; sn: string; secret: string }[] = []
const servers: ServerProcess[] = []
let folder = ''
let fleet: FleetProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-lead-'))
  postgres = await makePostgres()
  mosquitto = await sampleMosquitto()
  school = await prepareSchool({ ...postgres.settings, ...outsideSetting(mosquitto) }, async ({ url, token }) => {
    const root = dataOf(placeApi.tree, await send(url, placeApi.tree, {}, { token })).list[0]?.place_id ?? ''
    place_id = dataOf(placeApi.create, await send(url, placeApi.create, { superior_id: root, place_name: '南门', place_kind: 9 }, { token })).place.place_id
    for (const [n, model_code] of models.entries()) {
      const { device, setup } = dataOf(deviceApi.create, await send(url, deviceApi.create, { device_sn: `LEAD-${n}`, device_name: `南门${n}`, device_type: '01' as const, model_code, place_id }, { token }))
      known.push({ device_id: device.device_id, sn: device.device_sn, secret: setup?.secret ?? '' })
    }
  })
  const config = loadConfig({ ...test_settings, ...school.settings })
  database = await openConfigured(config)
  await exportTo(mosquitto, { running: { database, app: { config } } })
  await mosquitto.start()
}, patience_ms)
afterAll(async () => {
  await fleet?.kill()
  await Promise.all(servers.map(endServer))
  await database?.close()
  await mosquitto?.remove()
  await postgres?.remove()
  await school?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Somebody who may pass; told again, under another name, he is a change for every terminal. */
async function admit(user_name: string): Promise<void> {
  const env = { ...test_settings, ...school.settings }
  const app = await makeApp({ config: loadConfig(env), env })
  const now = new Date()
  const to = new Date(Math.floor(now.getTime() / day_ms) * day_ms + 90 * day_ms)
  await database.tenant(school_id, async db => {
    const by = { app, db, school_id, now }
    await declareSubjects(by, [{ user_id, person_kind: 1, user_no: 'L9100', user_name, dept_name: null, live: true }])
    await declareCredentials(by, [{ user_id, cred_kind: 'card', code: 'C0FFEE91', usable: true, source: 'cards', source_ref: 'card', version: 1 }])
    await declareGrants(by, [{ user_id, place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: 'grant', version: 1, expires_at: to }])
  })
}

async function aServer(): Promise<ServerProcess> {
  const server = await startServer(school.settings)
  servers.push(server)
  return server
}

const rowsOf = async (text: ReturnType<typeof sql>) => database.tenant<unknown, Record<string, unknown>[]>(school_id, async db => (await sql<Record<string, unknown>>`${text}`.execute(db)).rows)
/** The numbers of the records of a device that are stored, in their order. */
const stored = async (device_id: string) => (await rowsOf(sql`select device_seq from pass_event where school_id = ${school_id} and device_id = ${device_id}`)).map(row => Number(String(row['device_seq']).split(':').at(-1))).toSorted((a, b) => a - b)
const count = async () => Number((await rowsOf(sql`select count(*) as n from pass_event where school_id = ${school_id}`))[0]?.['n'])
/** What each terminal has said that it holds of the person; empty while it has not said so of what it is to hold. */
const held = async () => (await rowsOf(sql`select case when state in ('applied', 'proven') then have_hash else '' end as hash from sync_row where school_id = ${school_id} and kind = 'person' order by device_id`)).map(row => String(row['hash']))
const leader = () => database.tenant<unknown, unknown>(0, async db => (await sql<{ holder: string }>`select holder from broker_lead`.execute(db)).rows[0]?.holder)
/** What a machine that died without a word leaves: its lease runs out by the database's clock. */
const endLease = () => database.tenant<unknown, unknown>(0, db => sql`update broker_lead set until = now()`.execute(db))

test('31-A2 of two servers on one Mosquitto one speaks with the devices; killed or stopped, the other one takes over: no pass is lost or doubled, and what changed meanwhile arrives', async () => {
  await admit('陈小明')
  await aServer()
  const way: Fleet = { url: `mqtt://127.0.0.1:${mosquitto.port}`, prefix: 'jdev', folder, pulse: passes_per_minute, terminals: known.map(({ sn, secret }, n) => ({ sn, secret, driver: models[n] === 'VF105' ? 'vf105' : 'jdev' })) }
  fleet = startFleet(way)
  const has = async (before: readonly string[]) => (await held()).filter((hash, n) => hash !== '' && hash !== before[n]).length
  await expect.poll(() => has([]), { timeout: patience_ms }).toBe(models.length)
  for (const [how, name] of [['SIGKILL', '改名一'], ['SIGTERM', '改名二']] as const) {
    const [before, led_by, hashes] = [servers.at(-1), await leader(), await held()]
    await aServer()
    expect(await leader()).toBe(led_by)
    before?.signal(how)
    await before?.ended
    const passes = await count()
    await admit(name)
    if (how === 'SIGKILL') await endLease()
    await expect.poll(() => has(hashes), { timeout: patience_ms }).toBe(models.length)
    await expect.poll(count, { timeout: patience_ms }).toBeGreaterThan(passes)
    expect(await leader()).not.toBe(led_by)
  }
  await fleet.end()
  fleet = startFleet({ ...way, pulse: 0 })
  await expect.poll(async () => (await rowsOf(sql`select count(*)::int as n from device where school_id = ${school_id} and online`))[0]?.['n'], { timeout: patience_ms }).toBe(models.length)
  for (const { device_id, sn } of known.slice(0, 2)) {
    const { seq } = readSaved(way, sn)
    await expect.poll(() => stored(device_id), { timeout: patience_ms }).toEqual(Array.from({ length: seq }, (_, at) => at + 1))
  }
  const numbers = await stored(known[2]?.device_id ?? '')
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers).toEqual(Array.from(numbers, (_, at) => at + 1))
  expect(await rowsOf(sql`select reason from dead_letter where school_id = ${school_id}`)).toEqual([])
}, patience_ms)
