import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { declareCredentials, declareGrants, declareSubjects } from '@campus/devices/server'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { loadConfig } from '@kit/server/config'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
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

const patience_ms = 240_000
const [day_ms, between_passes_ms] = [86_400_000, 20] as const
const models = ['JD-F10', 'JD-F10', 'VF105'] as const
const user_id = '9100'

let postgres: FaultyPostgres
let mosquitto: Mosquitto
let school: Prepared
let database: Database
let place_id = ''
const known: { device_id: string; sn: string; secret: string }[] = []
const servers: ServerProcess[] = []
const ends: (() => unknown)[] = []

beforeAll(async () => {
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
  await Promise.all(ends.map(end => end()))
  await Promise.all(servers.map(endServer))
  await database?.close()
  await mosquitto?.remove()
  await postgres?.remove()
  await school?.remove()
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
const stored = async (device_id: string) => (await rowsOf(sql`select device_seq from pass_event where school_id = ${school_id} and device_id = ${device_id}`)).map(row => String(row['device_seq']))
const online = async () => (await rowsOf(sql`select count(*)::int as there from device where school_id = ${school_id} and online`))[0]?.['there']
const inTurn = (all: readonly string[]) => all.toSorted((a, b) => Number(a.split(':').at(-1)) - Number(b.split(':').at(-1)))
const leader = () => database.tenant<unknown, unknown>(0, async db => (await sql<{ holder: string }>`select holder from broker_lead`.execute(db)).rows[0]?.holder)
/** What a machine that died without a word leaves: its lease runs out by the database's clock. */
const endLease = () => database.tenant<unknown, unknown>(0, db => sql`update broker_lead set until = now()`.execute(db))

test('31-A2 of two servers on one Mosquitto one speaks with the devices; killed or stopped, the other one takes over: no pass is lost or doubled, and what changed meanwhile arrives', async () => {
  await admit('陈小明')
  await aServer()
  const terminals = known.slice(0, 2).map(one => new JdevTerminal({ url: `mqtt://127.0.0.1:${mosquitto.port}`, ...one }))
  const vf105 = new Vf105Terminal({ url: `mqtt://127.0.0.1:${mosquitto.port}`, sn: known[2]?.sn ?? '', secret: known[2]?.secret ?? '' })
  ends.push(...[...terminals, vf105].map(one => () => one.stop()))
  await Promise.all([...terminals, vf105].map(one => one.start()))
  const names = () => [...terminals.map(one => one.store.held('person').get(user_id)?.body?.name), vf105.store.users.get(user_id)?.name]
  const all = (name: string) => models.map(() => name)
  await expect.poll(names, { timeout: patience_ms }).toEqual(all('陈小明'))

  const passing = setInterval(() => {
    for (const one of terminals) one.present('card', 'C0FFEE91')
    if (vf105.store.waiting() === undefined) vf105.device.present('200', 'C0FFEE91')
  }, between_passes_ms)
  ends.push(() => clearInterval(passing))
  for (const [how, name] of [['SIGKILL', '改名一'], ['SIGTERM', '改名二']] as const) {
    const [before, led_by] = [servers.at(-1), await leader()]
    await aServer()
    expect(await leader()).toBe(led_by)
    before?.signal(how)
    await before?.ended
    await admit(name)
    if (how === 'SIGKILL') await endLease()
    await expect.poll(names, { timeout: patience_ms }).toEqual(all(name))
    expect(await leader()).not.toBe(led_by)
  }
  clearInterval(passing)

  await expect.poll(() => [...terminals.map(one => one.store.waiting), vf105.store.waiting() === undefined ? 0 : 1], { timeout: patience_ms }).toEqual([0, 0, 0])
  for (const [n, { store }] of terminals.entries()) {
    const seqs = inTurn(await stored(known[n]?.device_id ?? ''))
    expect(seqs.length).toBeGreaterThan(0)
    expect(seqs).toEqual(Array.from(seqs, (_, at) => `${store.epoch}:${at + 1}`))
  }
  const numbers = inTurn(await stored(known[2]?.device_id ?? '')).map(seq => Number(seq.split(':').at(-1)))
  expect(numbers).toEqual(Array.from(numbers, (_, at) => at + 1))
  expect(await online()).toBe(models.length)
  expect(await rowsOf(sql`select reason from dead_letter where school_id = ${school_id}`)).toEqual([])
}, patience_ms)
