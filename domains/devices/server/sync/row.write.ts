import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Rows of a device in one statement. */
const most_rows = 2000
/** What a row is to become. */
export type Change = { kind: string; row_key: string; user_id: string | null; want_op: 'put' | 'delete'; want_hash: string; prio: number; state: 'pending' | 'blocked' | 'gone'; reason_code: string | null }

/** Writes what a device is to hold in new versions. */
export async function writeRows(db: Db, { school_id, device_id }: { school_id: number; device_id: string }, changes: readonly Change[], now: Date): Promise<void> {
  const { rows } = await runKept(db, 'devices.row_version', sql<{ row_version: string }>`
    insert into device_counter (school_id, device_id, row_version) values (${school_id}, ${device_id}, ${changes.length})
    on conflict (school_id, device_id) do update set row_version = device_counter.row_version + excluded.row_version returning row_version`.compile(db))
  const first = BigInt(rows[0]?.row_version ?? '0') - BigInt(changes.length) + 1n
  for (let at = 0; at < changes.length; at += most_rows) {
    const part = changes.slice(at, at + most_rows).map((change, n) => ({ ...change, want_version: String(first + BigInt(at + n)) }))
    await runKept(db, 'devices.write_rows', sql`
      insert into sync_row (school_id, device_id, kind, row_key, user_id, want_op, want_hash, want_version, prio, state, reason_code, attempts, next_at)
      select ${school_id}::int, ${device_id}::bigint, c.kind, c.row_key, c.user_id, c.want_op, c.want_hash, c.want_version, c.prio, c.state, c.reason_code, 0, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) c(kind text, row_key text, user_id bigint, want_op text, want_hash text, want_version bigint, prio smallint, state text, reason_code text)
      on conflict (school_id, device_id, kind, row_key) do update set user_id = excluded.user_id, want_op = excluded.want_op, want_hash = excluded.want_hash, want_version = excluded.want_version,
        prio = excluded.prio, state = excluded.state, reason_code = excluded.reason_code, reason_text = null, attempts = 0, next_at = excluded.next_at`.compile(db))
  }
}
