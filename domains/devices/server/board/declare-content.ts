import { devicesErrors } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, DevicesDb } from '../db.ts'
import { wakeSenders } from '../notice.ts'
import type { Declarer } from '../sync/declare.ts'
import { showsContent } from '../proof/proof.queries.ts'
import { lockPlan } from '../sync/planner.ts'
import { writeRows } from '../sync/row.write.ts'
import type { Change } from '../sync/row.write.ts'
import { planContent, prioOf } from './manifest.ts'
import type { ContentSource, Manifest } from './manifest.ts'

type Of = { school_id: number; device_id: string }

/**
 * Says all that a source wants on a device, in the caller's transaction: what is not among the rows is taken off, what is there already is left alone. A version that is not newer than the last one is ignored.
 * @returns how many rows change
 * @throws Refusal 422 driverUnsupported for a device that shows and plays nothing
 */
export async function declareContent(by: Declarer, device_id: string, source: ContentSource, { version, rows }: Manifest): Promise<number> {
  const { school_id, now } = by
  const db = asTables<DevicesDb>(by.db)
  const of = { school_id, device_id }
  await requirePlayer(db, of)
  await lockPlan(db, school_id, device_id)
  if (!(await isNewer(db, of, source, version, now))) return 0
  const known = await db.selectFrom('board_content_row').select(['row_key', 'hash', 'is_declared', 'reported']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('source', '=', source).execute()
  const { puts, drops, settled } = planContent(source, rows, known)
  const changes = [
    ...puts.map((put): Change => ({ kind: 'content', row_key: put.row_key, user_id: null, want_op: 'put', want_hash: put.hash, prio: put.prio, state: 'pending', reason_code: null })),
    ...[...drops, ...settled].map((row_key): Change => ({ kind: 'content', row_key, user_id: null, want_op: 'delete', want_hash: known.find(row => row.row_key === row_key)?.hash ?? '', prio: prioOf(row_key), state: 'pending', reason_code: null })),
  ]
  if (changes.length === 0) return 0
  if (puts.length > 0) {
    const declared = puts.map(({ row_key, bytes, body, file_key = null, hash }) => ({ ...of, row_key, source, manifest_version: String(version), is_declared: true, hash, body: JSON.stringify(body), file_key, bytes_total: String(bytes), bytes_done: '0' }))
    const silent = { reported: null, fault_code: null, detail: null, reported_epoch: null, reported_seq: null, reported_at: null }
    await db
      .insertInto('board_content_row')
      .values(declared)
      .onConflict(conflict => conflict.columns(['school_id', 'device_id', 'row_key']).doUpdateSet(({ ref }) => ({ source: ref('excluded.source'), manifest_version: ref('excluded.manifest_version'), is_declared: true, hash: ref('excluded.hash'), body: ref('excluded.body'), file_key: ref('excluded.file_key'), bytes_total: ref('excluded.bytes_total'), bytes_done: '0', ...silent })))
      .execute()
  }
  await forget(db, of, settled)
  await db.updateTable('board_content_row').set({ is_declared: false }).where('school_id', '=', school_id).where('device_id', '=', device_id).where(sql<boolean>`row_key = any(${drops}::text[])`).execute()
  await writeRows(db, of, changes, now)
  await wakeSenders({ db, school_id }, [device_id])
  return changes.length
}

/** Rows of which nobody waits for a word any more. */
export async function forget(db: Db, { school_id, device_id }: Of, row_keys: readonly string[]): Promise<void> {
  if (row_keys.length > 0) await db.deleteFrom('board_content_row').where('school_id', '=', school_id).where('device_id', '=', device_id).where(sql<boolean>`row_key = any(${[...row_keys]}::text[])`).execute()
}

async function requirePlayer(db: Db, { school_id, device_id }: Of): Promise<void> {
  if (!(await showsContent(db, { school_id, device_id }))) throw fail(devicesErrors.driverUnsupported, { params: { name: '内容播放' } })
}

async function isNewer(db: Db, { school_id, device_id }: Of, source: ContentSource, version: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`
    insert into board_manifest (school_id, device_id, source, version, declared_at) values (${school_id}, ${device_id}, ${source}, ${version}, ${now})
    on conflict (school_id, device_id, source) do update set version = excluded.version, declared_at = excluded.declared_at where board_manifest.version < excluded.version
    returning version`.execute(db)
  return rows.length > 0
}
