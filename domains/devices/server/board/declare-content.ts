import { devicesErrors } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, DevicesDb } from '../db.ts'
import { wakeSenders } from '../notice.ts'
import type { Declarer } from '../sync/declare.ts'
import { showing } from '../proof/proof.queries.ts'
import { lockPlans } from '../sync/planner.ts'
import { writeRowsOf } from '../sync/row.write.ts'
import type { Change } from '../sync/row.write.ts'
import { planContent, prioOf } from './manifest.ts'
import type { ContentSource, KnownRow, Manifest } from './manifest.ts'

type Of = { school_id: number; device_id: string }
/** Rows in one statement. */
const most_rows = 500

/** What a manifest changes on a device. */
type Turn = Of & { puts: ReturnType<typeof planContent>['puts']; drops: string[]; settled: string[]; changes: Change[] }

/**
 * Says all that a source wants on a device, in the caller's transaction: what is not among the rows is taken off, what is there already is left alone. A version that is not newer than the last one is ignored.
 * @returns how many rows change
 * @throws Refusal 422 driverUnsupported for a device that shows and plays nothing
 */
export function declareContent(by: Declarer, device_id: string, source: ContentSource, manifest: Manifest): Promise<number> {
  return declareContentAt(by, [device_id], source, manifest)
}

/** The same of several devices that are to show the same: a plan for all boards of a school is written in as many statements as one for a single board. */
export async function declareContentAt(by: Declarer, device_ids: readonly string[], source: ContentSource, { version, rows }: Manifest): Promise<number> {
  const { school_id, now } = by
  const db = asTables<DevicesDb>(by.db)
  await requirePlayers(db, school_id, device_ids)
  await lockPlans(db, school_id, device_ids)
  const newer = await newerAt(db, { school_id, device_ids, source, version, now })
  const known = Map.groupBy(await knownAt(db, { school_id, device_ids: newer, source }), row => row.device_id)
  const turns = newer.map((device_id): Turn => turnOf({ school_id, device_id }, source, rows, known.get(device_id) ?? [])).filter(turn => turn.changes.length > 0)
  if (turns.length === 0) return 0
  await writeDeclared(db, turns, source, version)
  for (const { settled, ...of } of turns) await forget(db, of, settled)
  const dropped = turns.flatMap(({ device_id, drops }) => drops.map(row_key => ({ device_id, row_key })))
  if (dropped.length > 0) await sql`
    update board_content_row b set is_declared = false from jsonb_to_recordset(${JSON.stringify(dropped)}::jsonb) k(device_id bigint, row_key text) where b.school_id = ${school_id} and b.device_id = k.device_id and b.row_key = k.row_key`.execute(db)
  await writeRowsOf({ db, school_id, now }, turns)
  await wakeSenders({ db, school_id }, turns.map(turn => turn.device_id))
  return turns.reduce((sum, turn) => sum + turn.changes.length, 0)
}

type Known = KnownRow & { device_id: string }

async function knownAt(db: Db, { school_id, device_ids, source }: { school_id: number; device_ids: readonly string[]; source: ContentSource }): Promise<Known[]> {
  return db.selectFrom('board_content_row').select(['device_id', 'row_key', 'hash', 'is_declared', 'reported']).where('school_id', '=', school_id).where(sql<boolean>`device_id = any(${[...device_ids]}::bigint[])`).where('source', '=', source).execute()
}

function turnOf(of: Of, source: ContentSource, rows: Manifest['rows'], known: readonly Known[]): Turn {
  const { puts, drops, settled } = planContent(source, rows, known)
  const change = (row_key: string) => ({ kind: 'content', row_key, user_id: null, state: 'pending', reason_code: null }) as const
  const changes = [
    ...puts.map((put): Change => ({ ...change(put.row_key), want_op: 'put', want_hash: put.hash, prio: put.prio })),
    ...[...drops, ...settled].map((row_key): Change => ({ ...change(row_key), want_op: 'delete', want_hash: known.find(row => row.row_key === row_key)?.hash ?? '', prio: prioOf(row_key) })),
  ]
  return { ...of, puts, drops, settled, changes }
}

async function writeDeclared(db: Db, turns: readonly Turn[], source: ContentSource, version: number): Promise<void> {
  const declared = turns.flatMap(({ school_id, device_id, puts }) => puts.map(({ row_key, bytes, body, file_key = null, hash }) => ({ school_id, device_id, row_key, source, manifest_version: String(version), is_declared: true, hash, body: JSON.stringify(body), file_key, bytes_total: String(bytes), bytes_done: '0' })))
  const silent = { reported: null, fault_code: null, detail: null, reported_epoch: null, reported_seq: null, reported_at: null }
  for (let at = 0; at < declared.length; at += most_rows) {
    await db
      .insertInto('board_content_row')
      .values(declared.slice(at, at + most_rows))
      .onConflict(conflict => conflict.columns(['school_id', 'device_id', 'row_key']).doUpdateSet(({ ref }) => ({ source: ref('excluded.source'), manifest_version: ref('excluded.manifest_version'), is_declared: true, hash: ref('excluded.hash'), body: ref('excluded.body'), file_key: ref('excluded.file_key'), bytes_total: ref('excluded.bytes_total'), bytes_done: '0', ...silent })))
      .execute()
  }
}

/** Rows of which nobody waits for a word any more. */
export async function forget(db: Db, { school_id, device_id }: Of, row_keys: readonly string[]): Promise<void> {
  if (row_keys.length > 0) await db.deleteFrom('board_content_row').where('school_id', '=', school_id).where('device_id', '=', device_id).where(sql<boolean>`row_key = any(${[...row_keys]}::text[])`).execute()
}

async function requirePlayers(db: Db, school_id: number, device_ids: readonly string[]): Promise<void> {
  if ((await showing(db, school_id, device_ids)).length < new Set(device_ids).size) throw fail(devicesErrors.driverUnsupported, { params: { name: '内容播放' } })
}

/** The devices to which the version is new. */
async function newerAt(db: Db, { school_id, device_ids, source, version, now }: { school_id: number; device_ids: readonly string[]; source: ContentSource; version: number; now: Date }): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    insert into board_manifest (school_id, device_id, source, version, declared_at) select distinct ${school_id}::int, u.device_id, ${source}, ${version}::bigint, ${now}::timestamptz from unnest(${[...device_ids]}::bigint[]) u(device_id)
    on conflict (school_id, device_id, source) do update set version = excluded.version, declared_at = excluded.declared_at where board_manifest.version < excluded.version
    returning device_id::text as device_id`.execute(db)
  return rows.map(row => row.device_id)
}
