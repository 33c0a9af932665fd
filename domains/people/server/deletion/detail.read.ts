import { delete_states } from '@campus/people/contract'
import type { DeleteDetailRow, DeleteProof, userDeleteApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import type { Db, PeopleCtx } from '../db.ts'
import { Items, Snapshot } from './batch.queries.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import { namesOf } from './delete-config.service.ts'
import { proofsOf } from './proof.queries.ts'
import type { ProofRow } from './proof.queries.ts'

const State = z.enum(delete_states)
const Action = z.enum(['deleted', 'anonymised', 'kept'])
const ProofState = z.enum(['waiting', 'acked'])
const hour_ms = 3_600_000
const failed_text = '清除时出错，请重试；仍然失败请联系运维人员'

export type DetailFilter = { batch_no: string; state?: (typeof delete_states)[number]; has_error?: boolean }
/** Where details are read: a request, or the reading of an export. */
export type DetailDesk = { db: Db; school_id: number; now: Date }

/** The people of a batch, a page of them. @throws Refusal 404 for a batch of another school */
export async function listDetails(ctx: PeopleCtx, { page_index, page_size, ...filter }: Input<typeof userDeleteApi.details>): Promise<Reply<typeof userDeleteApi.details>> {
  await requireBatch(ctx, filter.batch_no)
  const ids = await detailOrder(ctx, filter)
  return { list: await detailRows(ctx, filter.batch_no, ids.slice((page_index - 1) * page_size, page_index * page_size)), total: ids.length }
}

/** @throws Refusal 404 for a batch of another school */
export async function requireBatch({ db, school_id }: Pick<DetailDesk, 'db' | 'school_id'>, batch_no: string): Promise<void> {
  const batch = await db.selectFrom('user_delete_batch').select('batch_no').where('school_id', '=', school_id).where('batch_no', '=', batch_no).executeTakeFirst()
  if (!batch) throw fail(commonErrors.notFound)
}

/** Ids of the people of a batch, whoever needs somebody first. With `has_error` only those: blocked, failed, or with a store that is late. */
export async function detailOrder({ db, school_id, now }: DetailDesk, { batch_no, state, has_error }: DetailFilter): Promise<string[]> {
  const { biometric_hours } = await readDeleteConfig(db, school_id)
  const late = new Date(now.getTime() - biometric_hours * hour_ms)
  const troubled = sql<boolean>`(d.state in ('blocked', 'error') or exists (
    select from user_delete_proof f where f.school_id = ${school_id} and f.batch_no = d.batch_no and f.user_id = d.user_id and f.state = 'waiting' and f.asked_at < ${late}))`
  const { rows } = await sql<{ user_id: string }>`
    select d.user_id from user_delete_detail d
    where d.school_id = ${school_id} and d.batch_no = ${batch_no} and ${state === undefined ? sql`true` : sql`d.state = ${state}`} and ${has_error ? troubled : sql`true`}
    order by array_position(array['error', 'blocked', 'waiting_proof', 'deleting', 'checking', 'holding', 'deleted', 'cancelled'], d.state::text), d.user_id`.execute(db)
  return rows.map(row => row.user_id)
}

/** These people of a batch, in the order of the ids. */
export async function detailRows({ db, school_id, now }: DetailDesk, batch_no: string, ids: readonly string[]): Promise<DeleteDetailRow[]> {
  const { biometric_hours } = await readDeleteConfig(db, school_id)
  const rows = await db.selectFrom('user_delete_detail').selectAll().where('school_id', '=', school_id).where('batch_no', '=', batch_no).where(oneOf('user_id', ids)).execute()
  const proofs = Map.groupBy(await proofsOf(db, school_id, batch_no, ids), proof => proof.user_id)
  const found = new Map(rows.map(row => [row.user_id, row]))
  return ids.flatMap(id => {
    const row = found.get(id)
    if (!row) return []
    return {
      ...Snapshot.parse(row.snapshot), batch_no, user_id: id, state: State.parse(row.state), blocks: Items.parse(row.blocks),
      error: row.error_code === null ? null : failed_text,
      stores: (proofs.get(id) ?? []).map(proof => dotOf(proof, now, biometric_hours)),
      purged_at: row.purged_at?.toISOString() ?? null,
    }
  })
}

function dotOf({ store, title, state, action, asked_at }: ProofRow, now: Date, biometric_hours: number): DeleteDetailRow['stores'][number] {
  const is_late = state === 'waiting' && asked_at.getTime() < now.getTime() - biometric_hours * hour_ms
  return { store, title, state: ProofState.parse(state), action: Action.parse(action), is_late }
}

/** What became of somebody in every store, to be printed. @throws Refusal 404 */
export async function readProof(ctx: PeopleCtx, { no, user_id }: Input<typeof userDeleteApi.proof>): Promise<DeleteProof> {
  const { db, school_id, now } = ctx
  const batch = await db.selectFrom('user_delete_batch').selectAll().where('school_id', '=', school_id).where('batch_no', '=', no).executeTakeFirst()
  const [row] = await detailRows(ctx, no, [user_id])
  if (!batch || !row) throw fail(commonErrors.notFound)
  const { biometric_hours } = await readDeleteConfig(db, school_id)
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const names = await namesOf(ctx, [batch.confirmed_by, batch.second_by].filter(id => id !== null))
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  const { blocks: _, error: __, ...person } = row
  ctx.note({ target_kind: 'people.user_delete', target_id: no, target_name: `删除证明 ${row.user_no}`, batch_no: no })
  return {
    ...person, school_name, reason: batch.reason, confirmed_by: nameOf(batch.confirmed_by), second_by: nameOf(batch.second_by),
    stores: (await proofsOf(db, school_id, no, [user_id])).map(proof => ({
      ...dotOf(proof, now, biometric_hours), basis: proof.basis, asked_at: proof.asked_at.toISOString(), acked_at: proof.acked_at?.toISOString() ?? null, evidence: proof.evidence,
    })),
  }
}
