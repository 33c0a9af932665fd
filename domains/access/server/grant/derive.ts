import { declareGrants, revoke } from '@campus/devices/server'
import { schoolDay } from '@campus/school/server'
import { insertMany } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import { recordEffects } from '../effect/record.ts'
import type { At, CausesOf } from '../effect/record.ts'
import { keyOf, rightsOf } from './rights.ts'
import type { Right } from './rights.ts'

/** The timer of the night's look. */
export const roll_kind = 'access.roll'
const roll_minutes_ms = 5 * 60_000
const source = 'access'
const at_once = 1000
const grant_key = ['school_id', 'user_id', 'place_id', 'direction'] as const

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
  const { changed, gone } = await handOver(step, user_ids, rightsOf(facts, people, sites, now))
  if (causes) await recordEffects(step, causes, { sites, changed, gone })
  return { declared: changed.length, revoked: gone.length }
}

/** Sets the next night's look; one that is set already stays. */
async function planRoll({ app, db, school_id, now }: Step): Promise<void> {
  const due_at = new Date(startOfDate(addDays(schoolDay(now), 1)).getTime() + roll_minutes_ms)
  await setTimer({ app, db, school_id }, { kind: roll_kind, ref: String(school_id), due_at })
}

/** Takes back what is gone before anything is given (R15). */
async function handOver(step: Step, user_ids: readonly string[] | null, rights: ReadonlyMap<string, Right>): Promise<{ changed: At[]; gone: At[] }> {
  const { db, school_id } = step
  const known = db.selectFrom('access_grant').selectAll().where('school_id', '=', school_id).forUpdate()
  const rows = await (user_ids === null ? known : known.where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)).execute()
  const before = new Map(rows.map(row => [keyOf(row), row]))
  const gone = rows.filter(row => !rights.has(keyOf(row)))
  for (const part of parted(gone)) {
    await revoke(step, source, part.map(keyOf))
    await sql`
      delete from access_grant a using jsonb_to_recordset(${JSON.stringify(part.map(({ user_id, place_id, direction }) => ({ user_id, place_id, direction })))}::jsonb) x(user_id bigint, place_id bigint, direction smallint)
      where a.school_id = ${school_id} and a.user_id = x.user_id and a.place_id = x.place_id and a.direction = x.direction`.execute(db)
  }
  const changed = [...rights].flatMap(([key, right]) => {
    const old = before.get(key)
    return old?.windows_hash === right.hash && old.expires_at.getTime() === right.until ? [] : [{ right, version: (old?.version ?? 0) + 1 }]
  })
  for (const part of parted(changed)) {
    await declareGrants(step, part.map(({ right: { user_id, place_id, direction, windows, until }, version }) => ({
      user_id, place_id, direction, windows, source, source_ref: keyOf({ user_id, place_id, direction }), version, expires_at: new Date(until),
    })))
    const values = part.map(({ right, version }) => ({ school_id, user_id: right.user_id, place_id: right.place_id, direction: right.direction, windows_hash: right.hash, version, expires_at: new Date(right.until) }))
    await insertMany(db, 'access_grant', values, { columns: grant_key, set: ['windows_hash', 'version', 'expires_at'] })
  }
  return { changed: changed.map(one => one.right), gone }
}

function parted<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / at_once) }, (_, at) => rows.slice(at * at_once, (at + 1) * at_once))
}
