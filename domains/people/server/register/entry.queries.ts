import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

const shown = ['id', 'apply_no', 'field_scene', 'is_new', 'user_name', 'values_enc', 'mobile_mask', 'state', 'reason', 'created_at', 'reviewed_at', 'batch_no', 'match_user_id'] as const

export type EntryFilter = { state?: string | undefined; field_scene?: number | undefined; keyword?: string | undefined; page_index: number; page_size: number }

/** One page of entries, the oldest waiting one first, else the latest first; and how many there are. */
export async function pageEntries(db: Db, school_id: number, { state, field_scene, keyword, page_index, page_size }: EntryFilter) {
  let query = db.selectFrom('register_entry').where('school_id', '=', school_id)
  if (state !== undefined) query = query.where('state', '=', state)
  if (field_scene !== undefined) query = query.where('field_scene', '=', field_scene)
  if (keyword) query = query.where(eb => eb.or([eb('apply_no', '=', keyword.toUpperCase()), nameHas(nameKeyOf('user_name'), keyword)]))
  const list = await query.select(shown).orderBy('created_at', state === 'waiting' ? 'asc' : 'desc').orderBy('id').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await query.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { list, total: Number(total) }
}
export type EntryRecord = Awaited<ReturnType<typeof pageEntries>>['list'][number]

const among = (ids: readonly string[]) => sql<boolean>`id = any(${[...ids]}::uuid[])`

/** These entries, as far as they wait and are the school's. */
export function waitingEntries(db: Db, school_id: number, ids: readonly string[]) {
  return db.selectFrom('register_entry').select(['id', 'field_scene', 'is_new', 'values_enc', 'user_name']).where('school_id', '=', school_id).where(among(ids)).where('state', '=', 'waiting').orderBy('created_at').orderBy('id').execute()
}
export type WaitingEntry = Awaited<ReturnType<typeof waitingEntries>>[number]

/** How many of these entries the school has at all. */
export async function countEntries(db: Db, school_id: number, ids: readonly string[]): Promise<number> {
  const { count } = await db.selectFrom('register_entry').select(eb => eb.fn.countAll<string>().as('count')).where('school_id', '=', school_id).where(among(ids)).executeTakeFirstOrThrow()
  return Number(count)
}

/** Decides entries that still wait; two reviewers at once decide each entry once. @returns how many were decided by this one */
export async function decideEntries(db: Db, { school_id, ids, by, at }: { school_id: number; ids: readonly string[]; by: string; at: Date }, change: { state: 'passed' | 'refused'; reason?: string }): Promise<number> {
  const rows = await db
    .updateTable('register_entry')
    .set({ ...change, reviewed_by: by, reviewed_at: at })
    .where('school_id', '=', school_id)
    .where(among(ids))
    .where('state', '=', 'waiting')
    .returning('id')
    .execute()
  return rows.length
}

/** Says which batch took an entry in, and whom it made or changed. */
export async function joinBatch(db: Db, school_id: number, id: string, batch_no: string, match_user_id: string | null): Promise<void> {
  await db.updateTable('register_entry').set({ batch_no, match_user_id }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

/** Entries whose passing was taken back wait again. */
export async function reopenEntries(db: Db, { school_id, batch_no }: { school_id: number; batch_no: string }, user_ids: readonly string[]): Promise<void> {
  await db
    .updateTable('register_entry')
    .set({ state: 'waiting', batch_no: null, match_user_id: null, reviewed_by: null, reviewed_at: null })
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where(sql<boolean>`match_user_id = any(${[...user_ids]}::bigint[])`)
    .execute()
}
