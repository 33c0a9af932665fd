import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { WantedRow } from './derive.ts'

/** What stands for all rows of a device: how many they are, the sum of their hashes, and those that are blocked by name. */
type Mark = { count: number; sum: string; blocked: string }
const marks = new WeakMap<readonly WantedRow[], Mark>()

/**
 * Devices whose rows are already what they are to be. A terminal that comes back is derived whole, and nearly always nothing has changed of its twelve thousand rows: the database adds up their hashes instead of telling them. A hash is
 * 64 bits of SHA-256 over the content of a row with its key, so that two sets with one sum are one set; a sum has no order, and nothing is sorted for it.
 */
export async function unchangedDevices(db: Db, school_id: number, wanted: ReadonlyMap<string, readonly WantedRow[]>): Promise<ReadonlySet<string>> {
  // In the order of bytes, as both sides can have it; what is being taken off because of a reason counts as what it will be.
  const { rows } = await runKept(db, 'devices.rows_mark', sql<Mark & { device_id: string }>`
    select device_id::text as device_id, count(*)::int as count, sum(('x' || want_hash)::bit(64)::bigint)::text as sum,
      coalesce(string_agg(kind || ' ' || row_key || ' ' || coalesce(blocked_after, reason_code), E'\n' order by kind || ' ' || row_key collate "C") filter (where state = 'blocked' or blocked_after is not null), '') as blocked from sync_row
    where school_id = ${school_id} and device_id = any(${[...wanted.keys()]}::bigint[]) and kind in ('permission', 'person', 'credential') and (want_op = 'put' or blocked_after is not null)
    group by device_id`.compile(db))
  const known = new Map(rows.map(({ device_id, ...mark }) => [device_id, mark]))
  return new Set([...wanted].flatMap(([device_id, of_device]) => (isSame(known.get(device_id) ?? markOf([]), markOf(of_device)) ? [device_id] : [])))
}

/** What the database says of such rows. */
function markOf(rows: readonly WantedRow[]): Mark {
  const known = marks.get(rows)
  if (known) return known
  const sum = rows.reduce((so_far, row) => so_far + BigInt.asIntN(64, BigInt(`0x${row.hash}`)), 0n)
  const blocked = rows.flatMap(row => (row.blocked === null ? [] : [{ name: `${row.kind} ${row.row_key}`, blocked: row.blocked }]))
  const mark = { count: rows.length, sum: String(sum), blocked: blocked.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(one => `${one.name} ${one.blocked}`).join('\n') }
  marks.set(rows, mark)
  return mark
}

function isSame(a: Mark, b: Mark): boolean {
  return a.count === b.count && a.sum === b.sum && a.blocked === b.blocked
}
