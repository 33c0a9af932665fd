import { Drift, SyncProof } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

type Of = { school_id: number; device_id: string }
export type DriftFilter = Of & { found?: string; resolved?: boolean }
export type OpenDrift = { drift_id: string; device_id: string; kind: string; row_key: string; found: string; have_hash: string | null }

/** A read-back older than that proves nothing (chapter 30 rule 9). */
const proof_lasts_hours = 48
const Times = z.object({ found_at: z.date(), resolved_at: z.date().nullable(), delete_at: z.date().nullable() }).transform(({ found_at, resolved_at, delete_at: gone_at }) => ({ found_at: found_at.toISOString(), resolved_at: resolved_at?.toISOString() ?? null, delete_at: gone_at?.toISOString() ?? null }))
/** When a row that is found foreign goes by itself: a day after it was found, or after the school has said so. */
const deleteAt = (school_id: number) => sql<Date | null>`case when d.found = 'foreign' and d.resolved_at is null then (select greatest(d.found_at, t.foreign_since) + interval '24 hours' from device_setting t where t.school_id = ${school_id} and t.foreign_policy = 'delete_after_24h') end`.as('delete_at')

function selectDrifts(db: Db, { school_id, device_id, found, resolved = false }: DriftFilter) {
  return db
    .selectFrom('sync_drift as d')
    .where('d.school_id', '=', school_id)
    .where('d.device_id', '=', device_id)
    .where('d.resolved_at', resolved ? 'is not' : 'is', null)
    .$if(found !== undefined, query => query.where('d.found', '=', found ?? ''))
}

/** A page of the differences of a device, foreign rows first, then the latest; whose a row is, where the school knows it. */
export async function readDrifts(db: Db, filter: DriftFilter, most: { limit: number; offset: number }): Promise<Drift[]> {
  const rows = await selectDrifts(db, filter)
    .leftJoin('sync_row as r', join => join.onRef('r.school_id', '=', 'd.school_id').onRef('r.device_id', '=', 'd.device_id').onRef('r.kind', '=', 'd.kind').onRef('r.row_key', '=', 'd.row_key'))
    .leftJoin('subject as s', join => join.onRef('s.school_id', '=', 'r.school_id').onRef('s.user_id', '=', 'r.user_id'))
    .select(['d.drift_id', 'd.kind', 'd.row_key', 's.user_name', 's.user_no', 'd.found', 'd.found_at', 'd.resolution', 'd.resolved_at', deleteAt(filter.school_id)])
    .orderBy(sql`d.found <> 'foreign'`)
    .orderBy('d.found_at', 'desc')
    .orderBy('d.drift_id', 'desc')
    .limit(most.limit)
    .offset(most.offset)
    .execute()
  return rows.map(row => Drift.parse({ ...row, ...Times.parse(row) }))
}

/** How many there are. */
export async function countDrifts(db: Db, filter: DriftFilter): Promise<number> {
  const { count } = await selectDrifts(db, filter).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** Differences nobody has settled, by their numbers, locked. */
export function lockDrifts(db: Db, school_id: number, ids: readonly string[]): Promise<OpenDrift[]> {
  return db.selectFrom('sync_drift').select(['drift_id', 'device_id', 'kind', 'row_key', 'found', 'have_hash']).where('school_id', '=', school_id).where('resolved_at', 'is', null).where(sql<boolean>`drift_id = any(${[...ids]}::bigint[])`).orderBy('drift_id').forUpdate().execute()
}

/** Settles differences as somebody has decided. */
export async function settleDrifts(db: Db, school_id: number, ids: readonly string[], { resolution, resolved_by, now }: { resolution: 'adopt' | 'delete' | 'ignore'; resolved_by: string; now: Date }): Promise<void> {
  await db.updateTable('sync_drift').set({ resolution, resolved_by, resolved_at: now }).where('school_id', '=', school_id).where(sql<boolean>`drift_id = any(${[...ids]}::bigint[])`).execute()
}

/** A device holds something that the school has not put there; it stands among the differences until somebody decides. */
export async function noteForeign(db: Db, { school_id, device_id }: Of, { kind, row_key }: { kind: string; row_key: string }, now: Date): Promise<void> {
  await sql`
    insert into sync_drift (school_id, device_id, kind, row_key, found, found_at) values (${school_id}, ${device_id}, ${kind}, ${row_key}, 'foreign', ${now})
    on conflict (school_id, device_id, kind, row_key) where resolved_at is null do nothing`.execute(db)
}

/** The read-back that was asked for last. */
export async function lastProof(db: Db, { school_id, device_id }: Of): Promise<SyncProof | null> {
  const row = await db.selectFrom('sync_proof').select(['asked_at', 'state', 'ended_at', 'rows_checked', 'rows_missing', 'rows_different', 'rows_foreign']).where('school_id', '=', school_id).where('device_id', '=', device_id).orderBy('asked_at', 'desc').limit(1).executeTakeFirst()
  return row ? SyncProof.parse({ ...row, asked_at: row.asked_at.toISOString(), ended_at: row.ended_at?.toISOString() ?? null }) : null
}

/** How many differences of these devices nobody has settled, and when they were read back whole, if that still proves something. */
export async function countDriftOf(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<ReadonlyMap<string, { drift: number; proof_at: string | null }>> {
  if (device_ids.length === 0) return new Map()
  const { rows } = await sql<{ device_id: string; drift: number; proof_at: Date | null }>`
    select u.device_id::text, (select count(*)::int from sync_drift d where d.school_id = ${school_id} and d.device_id = u.device_id and d.resolved_at is null) as drift,
      (select max(p.ended_at) from sync_proof p where p.school_id = ${school_id} and p.device_id = u.device_id and p.state = 'done' and p.ended_at > ${now}::timestamptz - ${proof_lasts_hours} * interval '1 hour') as proof_at
    from unnest(${[...device_ids]}::bigint[]) u(device_id)`.execute(db)
  return new Map(rows.map(row => [row.device_id, { drift: row.drift, proof_at: row.proof_at?.toISOString() ?? null }]))
}

/** Whether a device `d` holds something otherwise than it is to be, and nobody has settled it. */
export const hasDrift = (school_id: number) => sql<boolean>`exists (select from sync_drift x where x.school_id = ${school_id} and x.device_id = d.device_id and x.resolved_at is null)`
