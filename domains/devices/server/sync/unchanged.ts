import { createHash } from 'node:crypto'
import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { WantedRow } from './derive.ts'

/** One text for all rows: made of the same parts in the same order here and in the database. */
const digests = new WeakMap<readonly WantedRow[], string>()

/**
 * Devices whose rows are already what they are to be: found by one digest of each, made by the database itself. A terminal that comes back is derived whole, and nearly always nothing has changed of its twelve thousand rows: they are
 * not read for that.
 */
export async function unchangedDevices(db: Db, school_id: number, wanted: ReadonlyMap<string, readonly WantedRow[]>): Promise<ReadonlySet<string>> {
  // In the order of bytes, as both sides can have it; what is being taken off because of a reason counts as what it will be.
  const { rows } = await runKept(db, 'devices.rows_digest', sql<{ device_id: string; digest: string }>`
    select device_id::text as device_id, md5(string_agg(kind || ' ' || row_key || ' ' || want_hash || ' ' || coalesce(blocked_after, case when state = 'blocked' then reason_code end, ''), E'\n' order by kind collate "C", row_key collate "C")) as digest from sync_row
    where school_id = ${school_id} and device_id = any(${[...wanted.keys()]}::bigint[]) and kind in ('permission', 'person', 'credential') and (want_op = 'put' or blocked_after is not null)
    group by device_id`.compile(db))
  return new Set(rows.flatMap(({ device_id, digest }) => (digest === digestOf(wanted.get(device_id) ?? []) ? [device_id] : [])))
}

function digestOf(rows: readonly WantedRow[]): string {
  const known = digests.get(rows)
  if (known !== undefined) return known
  const sorted = rows.toSorted((a, b) => (a.kind === b.kind ? inOrder(a.row_key, b.row_key) : inOrder(a.kind, b.kind)))
  const digest = createHash('md5').update(sorted.map(row => `${row.kind} ${row.row_key} ${row.hash} ${row.blocked ?? ''}`).join('\n')).digest('hex')
  digests.set(rows, digest)
  return digest
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
