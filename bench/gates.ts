import { placeApi } from '@campus/places/contract'
import { createDevices, declareCredentials, declareGrants, declareSubjects, issueSecrets, revoke } from '@campus/devices/server'
import type { PlannedDevice } from '@campus/devices/server'
import { dataOf } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JdevTerminal } from '@apps/terminal'
import { timed } from './measure.ts'

const school_id = 1001
const day_ms = 86_400_000
const days_ahead = 90
const most_at_once = 1000
const look_ms = 20
const zone_hours = 8
const half_day_hours = 12
/** Hours at which a school's night of read-backs may begin: one that has passed by noon, one that comes after midnight. */
const [evening, after_midnight] = [20, 2] as const

export type Gate = { device_id: string; sn: string; secret: string }
/** What stands at the door unless another thing is asked for. */
const usual_model = { code: 'JD-F10', type: '01' } as const

/** Registers so many devices of a model at one door. @returns their secrets, and the door */
export async function makeGates(app: TestApp, wanted: number, model: { code: string; type: '01' | '03' } = usual_model): Promise<{ gates: Gate[]; place_id: string }> {
  const me = await app.as({ school_id, codes: ['places.place.view'], places: 'all' })
  const place_id = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  const { database } = app.running
  const gates = await database.tenant(school_id, async db => {
    await sql`insert into device_setting (school_id, read_back_hour) values (${school_id}, ${farNight(app.clock.now())}) on conflict (school_id) do update set read_back_hour = excluded.read_back_hour`.execute(db)
    const planned = Array.from({ length: wanted }, (_, at): PlannedDevice => ({ key: `b${at}`, device_sn: `BENCH${at}`, device_name: `终端${at}`, device_type: model.type, model_code: model.code, parent: null, place_id, direction: 3 }))
    const ids = await createDevices(db, school_id, planned, new Date(app.clock.now().getTime() - day_ms))
    const rows = planned.map(({ key, device_sn }) => ({ device_id: ids.get(key) ?? '', device_sn }))
    const secrets = new Map((await issueSecrets(db, school_id, rows)).map(one => [one.sn, one.secret]))
    return rows.map(({ device_id, device_sn: sn }) => ({ device_id, sn, secret: secrets.get(sn) ?? '' }))
  })
  return { gates, place_id }
}

/** The hour of the read-backs that is far away: they must not be among what is measured. */
function farNight(now: Date): number {
  return (now.getUTCHours() + zone_hours) % (2 * half_day_hours) < half_day_hours ? evening : after_midnight
}

/** Gives people a card and the right to pass a door. */
export async function admit(app: TestApp, place_id: string, people: number, ...more_kinds: readonly 'id_card'[]): Promise<void> {
  const { running, clock } = app
  const now = clock.now()
  const expires_at = new Date(Math.floor(now.getTime() / day_ms + days_ahead) * day_ms)
  const windows = [{ from: new Date(0).toISOString(), to: expires_at.toISOString() }]
  for (let from = 0; from < people; from += most_at_once) {
    const ids = Array.from({ length: Math.min(most_at_once, people - from) }, (_, at) => String(500_001 + from + at))
    await running.database.tenant(school_id, async db => {
      const by = { app: running.app, db, school_id, now }
      await declareSubjects(by, ids.map(user_id => ({ user_id, person_kind: 1, user_no: `N${user_id}`, user_name: `学生${user_id}`, dept_name: '一年级1班', live: true })))
      await declareCredentials(by, ids.map(user_id => ({ user_id, cred_kind: 'card' as const, code: `C${user_id}`, usable: true, source: 'bench', source_ref: `card ${user_id}`, version: 1 })))
      for (const cred_kind of more_kinds) await declareCredentials(by, ids.map(user_id => ({ user_id, cred_kind, code: `I${user_id}`, usable: true, source: 'bench', source_ref: `${cred_kind} ${user_id}`, version: 1 })))
      await declareGrants(by, ids.map(user_id => ({ user_id, place_id, direction: 3 as const, windows, source: 'bench', source_ref: `grant ${user_id}`, version: 1, expires_at })))
    })
  }
}

/** Gives one person another name, as people's own change does. */
export async function rename(app: TestApp, user_id: string, user_name: string): Promise<void> {
  const { running, clock } = app
  await running.database.tenant(school_id, db => declareSubjects({ app: running.app, db, school_id, now: clock.now() }, [{ user_id, person_kind: 1, user_no: `N${user_id}`, user_name, dept_name: '一年级1班', live: true }]))
}

/** A card was reported lost. */
export async function loseCard(app: TestApp, user_id: string): Promise<void> {
  const { running, clock } = app
  await running.database.tenant(school_id, db => revoke({ app: running.app, db, school_id, now: clock.now() }, 'bench', [`card ${user_id}`]))
}

/** Rows of the school that no device has confirmed yet. */
export const openRows = (app: TestApp) => count(app, sql`select count(*)::int as n from sync_row where school_id = ${school_id} and state in ('pending', 'sent', 'unknown')`)
/** Rows of the school that devices hold. */
export const heldRows = (app: TestApp) => count(app, sql`select count(*)::int as n from sync_row where school_id = ${school_id} and state in ('applied', 'proven')`)
/** Devices of the school that are online. */
export const onlineGates = (app: TestApp) => count(app, sql`select count(*)::int as n from device where school_id = ${school_id} and online`)

/** One number of the school. */
export async function count(app: TestApp, query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { n: number }[] }>(school_id, db => query.execute(db))
  return rows[0]?.n ?? 0
}

/** Waits until something is true, for at most `most_ms`; looks every `every_ms`. @throws Error when it does not come true */
export async function until(what: string, is_true: () => Promise<boolean> | boolean, most_ms: number, every_ms = look_ms): Promise<void> {
  const deadline = performance.now() + most_ms
  while (!(await is_true())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${most_ms / 1000} s`)
    await sleep(every_ms)
  }
}

/** How long each of many passes of a terminal waits for its acknowledgement, in milliseconds; one after the other with a pause between them. */
export async function tellPasses(terminal: JdevTerminal, over_ms: number, pause_ms: number): Promise<number[]> {
  const waits: number[] = []
  const ends = performance.now() + over_ms
  while (performance.now() < ends) {
    waits.push(await timed(async () => {
      terminal.pass({ user_id: '500002', verify: 2, result: 1 })
      while (terminal.store.waiting > 0) await sleep(1)
    }))
    await sleep(pause_ms)
  }
  return waits
}
