import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import type { OpenDrift } from './drift.queries.ts'

type Of = { school_id: number; device_id: string }
const decided_prio = 2

/** Numbers for so many rows of a device: the first of them. */
async function firstVersion(db: Db, { school_id, device_id }: Of, count: number): Promise<bigint> {
  const { rows } = await sql<{ row_version: string }>`
    insert into device_counter (school_id, device_id, row_version) values (${school_id}, ${device_id}, ${count})
    on conflict (school_id, device_id) do update set row_version = device_counter.row_version + excluded.row_version returning row_version::text`.execute(db)
  return BigInt(rows[0]?.row_version ?? '0') - BigInt(count) + 1n
}

/** Whether something is on its way to a device. */
export async function isUnderWay(db: Db, { school_id, device_id }: Of): Promise<boolean> {
  const { rows } = await sql`
    select from sync_row where school_id = ${school_id} and device_id = ${device_id} and state in ('sent', 'unknown')
    union all select from sync_proof where school_id = ${school_id} and device_id = ${device_id} and state = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}

/** Sends everything a device is to hold once more, so that it writes every row anew. */
export function sendAgain(db: Db, of: Of, now: Date): Promise<void> {
  return renew(db, of, sql<boolean>`want_op = 'put' and state <> 'blocked'`, now)
}

/** Sends these rows of a kind once more, what the device is to hold as well as what it is not to hold any more. */
export function sendThese(db: Db, of: Of, { kind, row_keys }: { kind: string; row_keys: readonly string[] }, now: Date): Promise<void> {
  return renew(db, of, sql<boolean>`kind = ${kind} and row_key = any(${[...row_keys]}::text[]) and state in ('applied', 'proven', 'gone')`, now)
}

/** Sends rows at once that the device has refused, or that wait to be tried once more; what else is named stays as it is. @returns how many */
export async function sendRefused(db: Db, { school_id, device_id }: Of, named: readonly { kind: string; row_key: string }[], now: Date): Promise<number> {
  const { rows } = await sql`
    update sync_row r set state = 'pending', attempts = 0, next_at = ${now}, wanted_at = ${now}, reason_code = null, reason_text = null
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) n(kind text, row_key text)
    where r.school_id = ${school_id} and r.device_id = ${device_id} and r.kind = n.kind and r.row_key = n.row_key and (r.state = 'refused' or (r.state = 'pending' and r.attempts > 0))
    returning r.row_key`.execute(db)
  return rows.length
}

/** In new versions: a device that has a version already does nothing. */
async function renew(db: Db, of: Of, which: RawBuilder<boolean>, now: Date): Promise<void> {
  const { school_id, device_id } = of
  const { count } = await db.selectFrom('sync_row').select(sql<number>`count(*)::int`.as('count')).where('school_id', '=', school_id).where('device_id', '=', device_id).where(which).executeTakeFirstOrThrow()
  if (count === 0) return
  const first = await firstVersion(db, of, count)
  await sql`
    update sync_row r set want_version = ${first.toString()}::bigint + n.at, state = 'pending', attempts = 0, next_at = ${now}, wanted_at = ${now}, have_hash = null, proven_at = null, reason_code = null, reason_text = null
    from (select kind, row_key, row_number() over (order by prio, kind, row_key) - 1 as at from sync_row where school_id = ${school_id} and device_id = ${device_id} and ${which}) n
    where r.school_id = ${school_id} and r.device_id = ${device_id} and r.kind = n.kind and r.row_key = n.row_key`.execute(db)
}

/** Takes foreign rows from their device. */
export async function deleteForeign(db: Db, school_id: number, drifts: readonly OpenDrift[], now: Date): Promise<void> {
  for (const [device_id, of_device] of Map.groupBy(drifts, drift => drift.device_id)) {
    const first = await firstVersion(db, { school_id, device_id }, of_device.length)
    const rows = JSON.stringify(of_device.map(({ kind, row_key, have_hash }, at) => ({ kind, row_key, want_hash: have_hash ?? '', want_version: String(first + BigInt(at)) })))
    await sql`
      insert into sync_row (school_id, device_id, kind, row_key, want_op, want_hash, want_version, prio, state, attempts, next_at, wanted_at)
      select ${school_id}::int, ${device_id}::bigint, n.kind, n.row_key, 'delete', n.want_hash, n.want_version, ${decided_prio}, 'pending', 0, ${now}::timestamptz, ${now}::timestamptz from jsonb_to_recordset(${rows}::jsonb) n(kind text, row_key text, want_hash text, want_version bigint)
      on conflict (school_id, device_id, kind, row_key) do update set want_version = excluded.want_version, prio = excluded.prio, state = 'pending', attempts = 0, next_at = excluded.next_at, wanted_at = excluded.wanted_at where sync_row.want_op = 'delete'`.execute(db)
  }
}
