import type { Database } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { hashOfStored } from '../log-columns.ts'
import type { LogTable, StoredLine } from '../log-columns.ts'
import { firstId } from '../log-row.ts'
import { no_seal_hash, packLeaves, rootOf, sha256, unpackLeaves } from './seal.ts'
import type { Leaf, Seal } from './seal.ts'
import { signRoot } from './seal-key.ts'
import type { SealKey } from './seal-key.ts'
import { holdJournal, insertSeal, lastSeal, leavesBetween, rowsBesides } from './seal.queries.ts'

/** Rows younger than this are left for the next seal: the transactions that write them may still be open. */
const grace_ms = 60_000
/** A row that comes later than this after it happened belongs to no seal: audit-verify names it. */
const horizon_ms = 86_400_000
const rows_per_seal = 2000

export type SealDesk = { database: Database; key: SealKey; now: Date }

/**
 * Seals every row of a journal that has no seal yet, in the order in which it happened, up to a minute before now; rows that were committed after
 * the seal of their moment come into this one and are counted as late. Another process at the same journal: nothing happens.
 * @returns the moment up to which everything is sealed; null when another process is at it
 */
export async function sealJournal({ database, key, now }: SealDesk, school_id: number, table: LogTable): Promise<Date | null> {
  const upto = new Date(now.getTime() - grace_ms)
  for (;;) {
    const step = await database.tenant<unknown, Step>(school_id, db => sealOnce(db, key, { school_id, table, upto, now }))
    if (step === 'held') return null
    if (step === 'done') return upto
  }
}

type Step = 'held' | 'more' | 'done'
type Task = { school_id: number; table: LogTable; upto: Date; now: Date }

async function sealOnce(db: QueryExecutorProvider, key: SealKey, { school_id, table, upto, now }: Task): Promise<Step> {
  const watched = await holdJournal(db, school_id, table)
  if (!watched) return 'held'
  const last = await lastSeal(db, school_id, table)
  const after = last ? new Date(Date.parse(last.upto) - horizon_ms) : null
  const known = after ? await sealedSince(db, school_id, table, after) : []
  const rows = await rowsBesides(db, { school_id, table }, { after: after?.toISOString() ?? null, upto: upto.toISOString() }, known, rows_per_seal)
  if (rows.length === 0) return 'done'
  const is_full = rows.length === rows_per_seal
  const reached = laterOf(last?.upto, (is_full ? rows.at(-1)?.happened_at : undefined) ?? inMicroseconds(upto))
  const { seal, leaves } = makeSeal(rows, { school_id, table, last, upto: reached, now, since: watched.since, key })
  await insertSeal(db, seal, leaves)
  return is_full ? 'more' : 'done'
}

/** Ids of the rows since a moment that some seal holds. */
async function sealedSince(db: QueryExecutorProvider, school_id: number, table: LogTable, since: Date): Promise<string[]> {
  const from = firstId(since)
  const seals = await leavesBetween(db, school_id, table, from, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  return seals.flatMap(({ leaves }) => unpackLeaves(leaves).flatMap(({ log_id }) => (log_id >= from ? [log_id] : [])))
}

type Making = { school_id: number; table: LogTable; last: Seal | undefined; upto: string; now: Date; since: Date; key: SealKey }

function makeSeal(rows: readonly StoredLine[], { school_id, table, last, upto, now, since, key }: Making): { seal: Seal; leaves: Buffer } {
  const found: Leaf[] = rows.map(row => ({ log_id: row.log_id, hash: hashOfStored(table, row) }))
  const leaves = packLeaves(found)
  const ids = found.map(leaf => leaf.log_id).toSorted()
  const watched_from = inMicroseconds(since)
  const head = {
    school_id,
    table_name: table,
    seal_no: (last?.seal_no ?? 0) + 1,
    from_id: ids.at(0) ?? '',
    to_id: ids.at(-1) ?? '',
    rows: rows.length,
    late: rows.filter(row => last !== undefined && row.happened_at < last.upto).length,
    // What was written before seals existed may have been hashed in another way.
    altered: rows.filter((row, at) => row.happened_at >= watched_from && found[at]?.hash.equals(row.row_hash) === false).length,
    upto,
    sealed_at: inMicroseconds(now),
    leaves_hash: sha256(leaves),
    prev_hash: last?.root_hash ?? no_seal_hash,
  }
  const root_hash = rootOf(head)
  return { seal: { ...head, root_hash, signature: signRoot(key, root_hash) }, leaves }
}

function inMicroseconds(at: Date): string {
  return at.toISOString().replace('Z', '000Z')
}

function laterOf(a: string | undefined, b: string): string {
  return a !== undefined && a > b ? a : b
}
