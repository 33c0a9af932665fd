import { accessEvents } from '@campus/access/contract'
import { declareConfig, declareGrants, revoke } from '@campus/devices/server'
import { schoolDay } from '@campus/school/server'
import { insertMany } from '@kit/server/db'
import { publishEach, setTimer } from '@kit/server/event'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import { recordEffects } from '../effect/record.ts'
import type { At, CausesOf } from '../effect/record.ts'
import { classOf, fitRights } from './groups.ts'
import type { Fitted } from './groups.ts'
import { keyOf, rightsOf } from './rights.ts'

/** The timer of the night's look. */
export const roll_kind = 'access.roll'
const roll_minutes_ms = 5 * 60_000
const source = 'access'
const asks_key = 'mqtt.onlinecheck'
const at_once = 1000
const grant_key = ['school_id', 'user_id', 'place_id', 'direction'] as const
const grant_facts = ['windows_hash', 'weeks', 'is_online', 'version', 'expires_at'] as const

/** How many rights devices were given and lost. */
export type Handed = { declared: number; revoked: number }

/**
 * Works out the rights of these people (null: everybody) and hands devices what has changed; the same facts hand over nothing (R22). A school with rules is
 * looked at again the next night (R23). @param causes for which receipts are opened at the doors concerned
 */
export async function derive(step: Step, user_ids: readonly string[] | null, causes?: CausesOf): Promise<Handed> {
  const { db, school_id, now } = step
  const facts = await readFacts(db, school_id, now)
  if (facts.rules.size > 0 || facts.temporaries.size > 0) await planRoll(step)
  const sites = await readSites(db, school_id)
  const people = await readSubjects(db, facts, { school_id, at: now, user_ids })
  const fitted = await fitRights(step, { facts, sites, user_ids, rights: rightsOf(facts, people, sites, now) })
  // A terminal that is full keeps what it has.
  await publishEach(step, accessEvents.compileRefused, fitted.full.map(({ device_id, needed, most }) => ({ device_id, needed, most })))
  const { changed, gone } = await handOver(step, fitted)
  if (causes) await recordEffects(step, causes, { sites, changed, gone })
  return { declared: changed.length, revoked: gone.length }
}

/** Sets the next night's look; one that is set already stays. */
async function planRoll({ app, db, school_id, now }: Step): Promise<void> {
  const due_at = new Date(startOfDate(addDays(schoolDay(now), 1)).getTime() + roll_minutes_ms)
  await setTimer({ app, db, school_id }, { kind: roll_kind, ref: String(school_id), due_at })
}

/** Terminals of places where somebody is asked about at the swipe are told to ask (R20). */
async function followAsking(step: Step, before: ReadonlySet<string>, online: Fitted['online']): Promise<void> {
  const places = new Set([...online].flatMap(name => name.split(' ')[0] ?? []))
  const is_same = places.size === before.size && [...places].every(place_id => before.has(place_id))
  if (!is_same) await declareConfig(step, source, asks_key, places.size === 0 ? null : 1, [...places])
}

/** Takes back what is gone before anything is given (R15). */
async function handOver(step: Step, { user_ids, rights, online, full }: Fitted): Promise<{ changed: At[]; gone: At[] }> {
  const { db, school_id } = step
  const kept_places = new Set(full.map(one => one.place_id))
  const known = db.selectFrom('access_grant').selectAll().where('school_id', '=', school_id).forUpdate()
  const rows = await (user_ids === null ? known : known.where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)).execute()
  const before = new Map(rows.map(row => [keyOf(row), row]))
  if (user_ids === null) await followAsking(step, new Set(rows.flatMap(row => (row.is_online ? [row.place_id] : []))), online)
  const gone = rows.filter(row => !rights.has(keyOf(row)))
  for (const part of parted(gone)) {
    await revoke(step, source, part.map(keyOf))
    await sql`
      delete from access_grant a using jsonb_to_recordset(${JSON.stringify(part.map(({ user_id, place_id, direction }) => ({ user_id, place_id, direction })))}::jsonb) x(user_id bigint, place_id bigint, direction smallint)
      where a.school_id = ${school_id} and a.user_id = x.user_id and a.place_id = x.place_id and a.direction = x.direction`.execute(db)
  }
  const changed = [...rights].flatMap(([key, right]) => {
    const old = before.get(key)
    const is_online = online.has(classOf(right))
    const is_known = old?.windows_hash === right.hash && old.expires_at.getTime() === right.until
    const is_same = is_known && old.is_online === is_online && old.weeks === right.weeks
    return is_same || kept_places.has(right.place_id) ? [] : [{ right, is_online, version: (old?.version ?? 0) + 1 }]
  })
  for (const part of parted(changed)) {
    await declareGrants(step, part.map(({ right: { user_id, place_id, direction, windows, until }, is_online, version }) => ({
      user_id, place_id, direction, windows, source, source_ref: keyOf({ user_id, place_id, direction }), version, expires_at: new Date(until),
      enforcement: is_online ? 'online' : 'local',
    })))
    const values = part.map(({ right: { user_id, place_id, direction, hash, weeks, until }, is_online, version }) => ({
      school_id, user_id, place_id, direction, windows_hash: hash, weeks, is_online, version, expires_at: new Date(until),
    }))
    await insertMany(db, 'access_grant', values, { columns: grant_key, set: grant_facts })
  }
  return { changed: changed.map(one => one.right), gone }
}

function parted<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / at_once) }, (_, at) => rows.slice(at * at_once, (at + 1) * at_once))
}
