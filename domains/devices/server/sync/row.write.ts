import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Rows in one statement. */
const most_rows = 2000
/** What a row is to become. `blocked_after`: why it is not put again once it is gone. */
export type Change = { kind: string; row_key: string; user_id: string | null; want_op: 'put' | 'delete'; want_hash: string; prio: number; state: 'pending' | 'blocked' | 'gone'; reason_code: string | null; blocked_after?: string }
/** What the rows of a device are to become. */
export type DeviceChanges = { device_id: string; changes: readonly Change[] }

/** Writes what a device is to hold in new versions. */
export function writeRows(db: Db, { school_id, device_id }: { school_id: number; device_id: string }, changes: readonly Change[], now: Date): Promise<void> {
  return writeRowsOf({ db, school_id, now }, [{ device_id, changes }])
}

/** Writes what devices are to hold in new versions of each of them. */
export async function writeRowsOf({ db, school_id, now }: { db: Db; school_id: number; now: Date }, devices: readonly DeviceChanges[]): Promise<void> {
  const changed = devices.filter(one => one.changes.length > 0)
  if (changed.length === 0) return
  const last = await countVersions(db, school_id, changed)
  const rows = changed.flatMap(({ device_id, changes }) => {
    const first = (last.get(device_id) ?? 0n) - BigInt(changes.length) + 1n
    return changes.map((change, n) => ({ ...change, device_id, want_version: String(first + BigInt(n)) }))
  })
  for (let at = 0; at < rows.length; at += most_rows) {
    await runKept(db, 'devices.write_rows', sql`
      insert into sync_row (school_id, device_id, kind, row_key, user_id, want_op, want_hash, want_version, prio, state, reason_code, blocked_after, attempts, next_at, wanted_at)
      select ${school_id}::int, c.device_id, c.kind, c.row_key, c.user_id, c.want_op, c.want_hash, c.want_version, c.prio, c.state, c.reason_code, c.blocked_after, 0, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + most_rows))}::jsonb) c(device_id bigint, kind text, row_key text, user_id bigint, want_op text, want_hash text, want_version bigint, prio smallint, state text, reason_code text, blocked_after text)
      on conflict (school_id, device_id, kind, row_key) do update set user_id = excluded.user_id, want_op = excluded.want_op, want_hash = excluded.want_hash, want_version = excluded.want_version,
        prio = excluded.prio, state = excluded.state, reason_code = excluded.reason_code, reason_text = null, blocked_after = excluded.blocked_after, attempts = 0, next_at = excluded.next_at, wanted_at = excluded.wanted_at,
        have_hash = coalesce(sync_row.have_hash, case when sync_row.state in ('sent', 'unknown') then sync_row.want_hash end)`.compile(db))
  }
}

/** Takes so many versions of each device. @returns the last ones */
async function countVersions(db: Db, school_id: number, devices: readonly DeviceChanges[]): Promise<ReadonlyMap<string, bigint>> {
  const counts = devices.map(({ changes }) => changes.length)
  const { rows } = await runKept(db, 'devices.row_versions', sql<{ device_id: string; row_version: string }>`
    insert into device_counter (school_id, device_id, row_version) select ${school_id}::int, c.device_id, c.n from unnest(${devices.map(one => one.device_id)}::bigint[], ${counts}::bigint[]) c(device_id, n)
    on conflict (school_id, device_id) do update set row_version = device_counter.row_version + excluded.row_version returning device_id::text as device_id, row_version::text as row_version`.compile(db))
  return new Map(rows.map(({ device_id, row_version }) => [device_id, BigInt(row_version)]))
}
