import { sql } from 'kysely'
import { z } from 'zod'
import type { HeldRow } from '@kit/terminal-protocol'
import type { Db } from '../db.ts'
import { proveFaces } from '../erasure/held.write.ts'
import { driftOf } from './reading.ts'
import type { Found, Reading } from './reading.ts'
import { sendThese } from './resend.write.ts'

type Of = { school_id: number; device_id: string }
const Known = z.object({ row_key: z.string(), want_op: z.enum(['put', 'delete']), want_hash: z.string(), state: z.string(), is_settled: z.boolean() })
type Known = z.output<typeof Known>
/** A difference as it is kept. */
type Drift = { row_key: string; found: 'missing' | 'different' | 'foreign'; have_hash: string | null }
const words = { missing: 'missing', differs: 'different', foreign: 'foreign' } as const

/**
 * Holds one kind of rows, read to its end, against what the device is to hold: what is right is proven; what is missing or different is sent again; what
 * should have gone is deleted again; what nobody has put there is left for somebody to decide (chapter 30 rule 9). Rows under way are not judged. `back`: keys that had gone and are there again.
 */
export async function judgeKind(db: Db, of: Of, driver: string, reading: Reading, now: Date): Promise<Found & { back: string[] }> {
  const known = await readKnown(db, of, reading)
  const right = known.filter(row => row.is_settled && row.want_op === 'put' && (row.state === 'applied' || row.state === 'proven'))
  const gone = new Set(known.filter(row => row.is_settled && row.state === 'gone').map(row => row.row_key))
  const unjudged = new Set(known.filter(row => !right.includes(row) && !gone.has(row.row_key)).map(row => row.row_key))
  const kept = await readAdopted(db, of, reading.kind)
  const hashes = new Map(reading.pages.flatMap(page => page.held).map(row => [row.key, row.hash]))
  const drifts = driftOf(driver, reading, right.map(row => ({ key: row.row_key, hash: row.want_hash })))
    .filter(({ key, is }) => is !== 'foreign' || (!unjudged.has(key) && kept.get(key) !== (hashes.get(key) ?? '')))
    .map(({ key, is }): Drift => ({ row_key: key, found: words[is], have_hash: hashes.get(key) ?? null }))
  await writeRows(db, of, reading, { drifts, gone }, now)
  await writeDrifts(db, of, reading.kind, drifts, now)
  await proveFaces(db, of, { kind: reading.kind, since: reading.since, there: drifts.filter(drift => drift.found === 'foreign').map(drift => drift.row_key) }, now)
  const count = (found: Drift['found']) => drifts.filter(drift => drift.found === found).length
  return { checked: right.length, missing: count('missing'), different: count('different'), foreign: count('foreign'), back: drifts.filter(drift => gone.has(drift.row_key)).map(drift => drift.row_key) }
}

async function readKnown(db: Db, { school_id, device_id }: Of, { kind, since }: Reading): Promise<Known[]> {
  const { rows } = await sql`select row_key, want_op, want_hash, state, coalesce(acked_at <= ${since}, true) as is_settled from sync_row where school_id = ${school_id} and device_id = ${device_id} and kind = ${kind}`.execute(db)
  return z.array(Known).parse(rows)
}

/** What a device is to hold of a kind and has said to hold. */
export async function readWanted(db: Db, { school_id, device_id }: Of, kind: string): Promise<HeldRow[]> {
  const rows = await db.selectFrom('sync_row').select(['row_key', 'want_hash']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', kind).where('want_op', '=', 'put').where('state', 'in', ['applied', 'proven']).execute()
  return rows.map(row => ({ key: row.row_key, hash: row.want_hash }))
}

/** What somebody has decided to leave on the device, as it was then. */
async function readAdopted(db: Db, { school_id, device_id }: Of, kind: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('sync_drift').select(['row_key', 'have_hash']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', kind).where('resolution', '=', 'adopt').orderBy('drift_id').execute()
  return new Map(rows.map(row => [row.row_key, row.have_hash?.trim() ?? '']))
}

async function writeRows(db: Db, { school_id, device_id }: Of, { kind, since }: Reading, { drifts, gone }: { drifts: readonly Drift[]; gone: ReadonlySet<string> }, now: Date): Promise<void> {
  const wrong = drifts.filter(drift => drift.found !== 'foreign' || gone.has(drift.row_key)).map(drift => drift.row_key)
  await sql`
    update sync_row set state = 'proven', have_hash = want_hash, proven_at = ${now}
    where school_id = ${school_id} and device_id = ${device_id} and kind = ${kind} and want_op = 'put' and state in ('applied', 'proven') and coalesce(acked_at <= ${since}, true) and row_key <> all(${wrong}::text[])`.execute(db)
  await sendThese(db, { school_id, device_id }, { kind, row_keys: wrong }, now)
}

/** New differences are noted, those that are no more are over. */
async function writeDrifts(db: Db, { school_id, device_id }: Of, kind: string, drifts: readonly Drift[], now: Date): Promise<void> {
  const text = JSON.stringify(drifts)
  await sql`
    update sync_drift d set resolved_at = ${now}, resolution = case when d.found = 'foreign' then 'gone' else 'resent' end
    where d.school_id = ${school_id} and d.device_id = ${device_id} and d.kind = ${kind} and d.resolved_at is null
      and not exists (select from jsonb_to_recordset(${text}::jsonb) n(row_key text, found text) where n.row_key = d.row_key and n.found = d.found)`.execute(db)
  if (drifts.length === 0) return
  await sql`
    insert into sync_drift (school_id, device_id, kind, row_key, found, have_hash, found_at)
    select ${school_id}::int, ${device_id}::bigint, ${kind}::text, n.row_key, n.found, nullif(n.have_hash, ''), ${now}::timestamptz from jsonb_to_recordset(${text}::jsonb) n(row_key text, found text, have_hash text)
    on conflict (school_id, device_id, kind, row_key) where resolved_at is null do update set have_hash = excluded.have_hash`.execute(db)
}

/** Whose rows these are. */
export async function ownersOf(db: Db, { school_id, device_id }: Of, kind: string, row_keys: readonly string[]): Promise<string[]> {
  if (row_keys.length === 0) return []
  const rows = await db.selectFrom('sync_row').select('user_id').distinct().where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', kind).where('row_key', 'in', [...row_keys]).execute()
  return rows.flatMap(row => row.user_id ?? [])
}
