import { randomUUID } from 'node:crypto'
import { success_code } from '@kit/contract'
import type { Database } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { hashOfStored } from '../log-columns.ts'
import type { LogTable, StoredLine } from '../log-columns.ts'
import { firstId } from '../log-row.ts'
import { secondText } from '../log-words.ts'
import { writeOperation } from '../operation.queries.ts'
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
/** A clock that is behind the newest seal by more than this was put back. */
const jump_ms = 60_000
const update_op = 4

export type SealDesk = { database: Database; key: SealKey; now: Date }

/**
 * Seals every row of a journal that has no seal yet, in the order in which it happened, up to a minute before now; rows that were committed after
 * the seal of their moment come into this one and are counted as late. Seals follow one another by their number: after a clock that ran ahead the next one
 * reaches less far than the one before it, which its signature vouches for, and the jump is a line of the journal. Another process at the same journal: nothing happens.
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
  const is_put_back = last !== undefined && Date.parse(last.upto) - upto.getTime() > jump_ms
  const after = last ? new Date(Math.min(Date.parse(last.upto), upto.getTime()) - horizon_ms) : null
  const known = after ? await sealedSince(db, school_id, table, after) : []
  const rows = await rowsBesides(db, { school_id, table }, { after: after?.toISOString() ?? null, upto: upto.toISOString() }, known, rows_per_seal)
  if (rows.length === 0) return 'done'
  const is_full = rows.length === rows_per_seal
  const reached = laterOf(is_put_back ? undefined : last?.upto, (is_full ? rows.at(-1)?.happened_at : undefined) ?? inMicroseconds(upto))
  const { seal, leaves } = makeSeal(rows, { school_id, table, last, upto: reached, now, since: watched.since, key })
  await insertSeal(db, seal, leaves)
  if (is_put_back) await writeJump(db, { school_id, table, from: new Date(Date.parse(last.sealed_at)), to: now })
  return is_full ? 'more' : 'done'
}

/** That the clock was put back, as a line of the operation log. */
function writeJump(db: QueryExecutorProvider, { school_id, table, from, to }: { school_id: number; table: LogTable; from: Date; to: Date }): Promise<void> {
  return writeOperation(db, school_id, {
    request: { request_id: randomUUID(), ip: '', device_label: '系统', client: 'web' }, op_type: update_op, call: 'audit.integrity.clock', ok: true, code: success_code,
    msg: `服务器时间由${secondText(from.toISOString())}调回${secondText(to.toISOString())}`, duration_ms: 0, happened_at: to, target_kind: 'audit.journal', target_id: table, target_name: '服务器时间',
    before: { clock: from.toISOString() }, after: { clock: to.toISOString() },
  })
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
