import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestOptions, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { grantRole } from '@campus/identity/server'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { issueSecrets } from '../client.queries.ts'
import type { Db } from '../db.ts'
import { createDevices } from '../device.create.ts'
import type { Declarer } from '../sync/declare.ts'

const school_id = test_schools.a
const base_codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit']
const [gate_kind, both_ways, day_ms] = [9, 3, 86_400_000] as const
/** Numbers and names count from here, so that none is the beginning of another one. */
const first = 1000
type Options = TestOptions & { /** what the acting person may do beyond looking after places and devices */ codes?: readonly string[] }
type Way = { url: string; sn: string; secret: string }
type Draft = Partial<Request<typeof deviceApi.create>>

/** A server that devices can connect to, with somebody who looks after those of one school; close it in `afterAll`. */
export async function startDevices({ codes = [], ...options }: Options = {}) {
  const app = await startTestApp(options)
  const port = await app.running.listenToDevices()
  const me = await app.as({ school_id, codes: [...new Set([...base_codes, ...codes])], places: 'all' })
  const campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
  return {
    app, port, me, campus, tenant, school_id,
    ...makers(app, me, { campus, url: `mqtt://127.0.0.1:${port}` }),
    /** Declares something in a transaction of its own. */
    declare: (work: (by: Declarer) => Promise<void>) => tenant(db => work({ app: app.running.app, db, school_id, now: app.clock.now() })),
    /** The states that rows of a device are in. */
    states: async (device_id: string) => (await tenant(db => sql<{ state: string }>`select distinct state from sync_row where school_id = ${school_id} and device_id = ${device_id} order by 1`.execute(db))).rows.map(row => row.state),
    close: () => app.close(),
  }
}
export type DevicesTest = Awaited<ReturnType<typeof startDevices>>

/** Somebody who looks after the whole school. */
export async function aSchoolAdmin({ app }: DevicesTest): Promise<TestUser> {
  const admin = await app.as({ school_id, codes: [] })
  await app.running.database.tenant<unknown, unknown>(school_id, async db => {
    const { rows } = await sql<{ role_id: string }>`select role_id from role where school_id = ${school_id} and code = 'SYS001_SchoolAdmin'`.execute(db)
    return grantRole(db, school_id, rows.map(({ role_id }) => ({ role_id, user_id: admin.user_id, valid_from: app.clock.now() })))
  })
  return admin
}

/** So many devices at one place, registered together. @returns with what each of them connects */
export async function aFleet({ app, tenant, port }: DevicesTest, count: number, place_id: string): Promise<(Way & { device_id: string })[]> {
  return tenant(async db => {
    const planned = Array.from({ length: count }, (_, n) => ({ key: String(n), device_sn: `FLEET${n}`, device_name: `成队终端${n}`, device_type: '01' as const, model_code: 'JD-F10', parent: null, place_id, direction: both_ways }))
    const ids = await createDevices(db, school_id, planned, new Date(app.clock.now().getTime() - day_ms))
    const rows = planned.map(({ key, device_sn }) => ({ device_id: ids.get(key) ?? '', device_sn }))
    const secrets = new Map((await issueSecrets(db, school_id, rows)).map(one => [one.sn, one.secret]))
    return rows.map(({ device_id, device_sn: sn }) => ({ device_id, url: `mqtt://127.0.0.1:${port}`, sn, secret: secrets.get(sn) ?? '' }))
  })
}

/** What makes places, devices and virtual terminals. */
function makers(app: TestApp, { token }: TestUser, { campus, url }: { campus: string; url: string }) {
  const started: { stop(): Promise<void> }[] = []
  let made = first
  const detail = async (id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id }, { token }))

  /** A place of its own. */
  async function aPlace(place_kind: number = gate_kind): Promise<string> {
    made += 1
    return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `场所${made}`, place_kind }, { token })).place.place_id
  }

  /** A device that has not connected yet; at a gate of its own unless told where. */
  async function aDevice(more: Draft = {}) {
    const place_id = more.place_id ?? (await aPlace())
    made += 1
    const draft = { device_sn: `SN${made}`, device_name: `设备${made}`, device_type: '01' as const, model_code: 'JD-F10', ...more, place_id }
    const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token }))
    const { device_id, device_name, device_sn: sn } = device
    return { device_id, device_name, sn, place_id, way: { url, sn, secret: setup?.secret ?? '' } }
  }

  /** It has become the school's own long ago, and is not set up while others look. */
  const asOwn = (device_id: string) => app.running.database.tenant<unknown, unknown>(school_id, db => sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device_id}, 'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db))

  /** The same with a virtual terminal that has come online; it goes with `stopAll`. */
  async function online<T extends { start(): Promise<void>; stop(): Promise<void> }>(make: (way: Way) => T, more: Draft, before: (device_id: string) => Promise<unknown> = async () => undefined) {
    const device = await aDevice(more)
    await before(device.device_id)
    const terminal = make(device.way)
    started.push(terminal)
    await terminal.start()
    await expect.poll(async () => (await detail(device.device_id)).device.device_state).toBe('1')
    return { terminal, ...device }
  }

  return {
    detail, aPlace, aDevice, online,
    aGate: (more: Draft = {}) => online(way => new JdevTerminal(way), more),
    aVf105: (more: Draft = {}) => online(way => new Vf105Terminal(way), { model_code: 'VF105', ...more }, asOwn),
    /** Ends every terminal; call it in `afterEach`. */
    stopAll: () => Promise.all(started.splice(0).map(terminal => terminal.stop())),
  }
}

/** A person of the school as devices are told of him. */
export function subjectOf(user_id: string, more: { user_name?: string; live?: boolean } = {}) {
  return { user_id, person_kind: 1, user_no: `N${user_id}`, user_name: `学生${user_id}`, dept_name: '一年级1班', live: true, ...more }
}

/** His card. */
export function cardOf(user_id: string, more: { code?: string; version?: number } = {}) {
  return { user_id, cred_kind: 'card' as const, code: `CARD${user_id}`, usable: true, source: 'cards', source_ref: `card ${user_id}`, version: 1, ...more }
}

/** That he may pass a place at any time, for ninety days from a moment on. */
export function grantOf(user_id: string, place_id: string, now: Date, version = 1) {
  const to = new Date((Math.floor(now.getTime() / day_ms) + 90) * day_ms)
  return { user_id, place_id, direction: both_ways, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `grant ${user_id} ${place_id}`, version, expires_at: to }
}
