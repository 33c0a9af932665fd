import type { delete_batch_states, delete_sources, delete_states, OpenItem } from '@campus/people/contract'
import { OpenItem as Item } from '@campus/people/contract'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db } from '../db.ts'
import type { PeopleTables } from '../tables.gen.ts'
import { holdDeleteConfig } from './delete-config.queries.ts'

export type DetailState = (typeof delete_states)[number]
export type BatchState = (typeof delete_batch_states)[number]
export type Source = (typeof delete_sources)[number]
export type Batch = Selectable<PeopleTables['user_delete_batch']>

/** Somebody as he was when he was put on the list; the name is masked. */
export const Snapshot = z.object({ person_kind: z.number().int(), user_no: z.string(), user_name: z.string(), dept_name: z.string().nullable() })
export type Snapshot = z.output<typeof Snapshot>
export const Items = z.array(Item)

export type NewDetail = { user_id: string; snapshot: Snapshot; state: DetailState; blocks: readonly OpenItem[] }
export type NewBatch = { source: Source; state: BatchState; reason: string; hold_until: Date | null; created_by: string | null; confirmed_by: string | null; at: Date }

const in_queue = ['checking', 'blocked', 'holding', 'deleting', 'waiting_proof'] as const

/** Writes a batch with its people. @returns its number: `D`, the day, four digits */
export async function insertBatch(db: Db, school_id: number, { at, ...batch }: NewBatch, details: readonly NewDetail[]): Promise<string> {
  await holdDeleteConfig(db, school_id)
  const day = `D${schoolDay(at).replaceAll('-', '')}`
  const { rows } = await sql<{ n: number }>`
    select coalesce(max(right(batch_no, 4)::int), 0) + 1 as n from user_delete_batch where school_id = ${school_id} and batch_no > ${day} and batch_no < ${`${day}9999x`}`.execute(db)
  const batch_no = `${day}${String(rows[0]?.n ?? 1).padStart(4, '0')}`
  await db.insertInto('user_delete_batch').values({ school_id, batch_no, ...batch, people: details.length, created_at: at }).execute()
  await insertRows(db, 'user_delete_detail', details.map(({ user_id, snapshot, state, blocks }) => ({ school_id, batch_no, user_id, snapshot: JSON.stringify(snapshot), state, blocks: JSON.stringify(blocks) })))
  return batch_no
}

/** One batch, held until the transaction ends: everything that moves it comes one after the other. */
export function holdBatch(db: Db, school_id: number, batch_no: string): Promise<Batch | undefined> {
  return db.selectFrom('user_delete_batch').selectAll().where('school_id', '=', school_id).where('batch_no', '=', batch_no).forUpdate().executeTakeFirst()
}

export async function changeBatch(db: Db, school_id: number, batch_no: string, facts: Partial<Pick<Batch, 'state' | 'hold_until' | 'confirmed_by' | 'second_by' | 'ended_at'>>): Promise<void> {
  await db.updateTable('user_delete_batch').set(facts).where('school_id', '=', school_id).where('batch_no', '=', batch_no).execute()
}

/** People of a batch in one of these states, in the order of their ids; `user_ids` narrows them. */
export async function detailIds(db: Db, school_id: number, batch_no: string, states: readonly DetailState[], user_ids?: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('user_delete_detail')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where('state', 'in', [...states])
    .$if(user_ids !== undefined, query => query.where(oneOf('user_id', user_ids ?? [])))
    .orderBy('user_id')
    .forUpdate()
    .execute()
  return rows.map(row => row.user_id)
}

type DetailFacts = { state: DetailState; blocks?: readonly OpenItem[]; error_code?: string | null; purged_at?: Date }

export async function changeDetails(db: Db, school_id: number, batch_no: string, user_ids: readonly string[], { blocks, ...facts }: DetailFacts): Promise<void> {
  await db
    .updateTable('user_delete_detail')
    .set({ ...facts, ...(blocks ? { blocks: JSON.stringify(blocks) } : {}) })
    .where('school_id', '=', school_id)
    .where('batch_no', '=', batch_no)
    .where(oneOf('user_id', user_ids))
    .execute()
}

/** On which list somebody stands now. */
export async function queuedIn(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('user_delete_detail').select(['user_id', 'batch_no']).where('school_id', '=', school_id).where('state', 'in', [...in_queue]).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.batch_no]))
}

/** How many people of each batch are in each state. */
export async function stateCounts(db: Db, school_id: number, batch_nos: readonly string[]): Promise<Map<string, Partial<Record<DetailState, number>>>> {
  const rows = batch_nos.length === 0 ? [] : await db
    .selectFrom('user_delete_detail')
    .select(['batch_no', 'state', sql<number>`count(*)::int`.as('n')])
    .where('school_id', '=', school_id)
    .where('batch_no', 'in', [...batch_nos])
    .groupBy(['batch_no', 'state'])
    .execute()
  const counts = new Map<string, Partial<Record<string, number>>>()
  for (const { batch_no, state, n } of rows) counts.set(batch_no, { ...counts.get(batch_no), [state]: n })
  return counts
}

/** What the people of a batch make of it: a batch that was given is as far as its slowest person. */
function batchState(counts: Partial<Record<DetailState, number>>): BatchState {
  const has = (state: DetailState) => (counts[state] ?? 0) > 0
  if (has('checking')) return 'checking'
  if (has('holding')) return 'holding'
  if (has('deleting')) return 'deleting'
  if (has('waiting_proof') || has('error')) return 'proving'
  if (has('blocked')) return 'blocked'
  return has('deleted') ? 'finished' : 'cancelled'
}

/** Writes the state that follows from the people of a batch; one that is over says since when. */
export async function settleBatch(db: Db, school_id: number, batch_no: string, now: Date): Promise<BatchState> {
  const state = batchState((await stateCounts(db, school_id, [batch_no])).get(batch_no) ?? {})
  const is_over = state === 'finished' || state === 'cancelled'
  await changeBatch(db, school_id, batch_no, { state, ended_at: is_over ? now : null })
  return state
}
