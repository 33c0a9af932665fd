import { delete_batch_states, delete_sources, second_person_above } from '@campus/people/contract'
import type { delete_states, deleteApi, DeleteBatchRow, userDeleteApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PeopleCtx } from '../db.ts'
import { stateCounts } from './batch.queries.ts'
import { namesOf } from './delete-config.service.ts'

const State = z.enum(delete_batch_states)
const Source = z.enum(delete_sources)

/** Batches, the latest first. */
export async function listBatches(ctx: PeopleCtx, query: Input<typeof userDeleteApi.batches>): Promise<Reply<typeof userDeleteApi.batches>> {
  const { db, school_id } = ctx
  const { state, source, operator, batch_no, page_index, page_size } = query
  if (batch_no !== undefined && !(await hasBatch(db, school_id, batch_no))) throw fail(commonErrors.notFound)
  let batches = db.selectFrom('user_delete_batch').where('school_id', '=', school_id)
  if (state !== undefined) batches = batches.where('state', '=', state)
  if (source !== undefined) batches = batches.where('source', '=', source)
  if (operator !== undefined) batches = batches.where('created_by', '=', operator)
  if (batch_no !== undefined) batches = batches.where('batch_no', '=', batch_no)
  const { total } = await batches.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await batches.selectAll().orderBy('created_at', 'desc').orderBy('batch_no', 'desc').limit(page_size).offset((page_index - 1) * page_size).execute()
  const counts = await stateCounts(db, school_id, rows.map(row => row.batch_no))
  const names = await namesOf(ctx, rows.flatMap(row => [row.created_by, row.confirmed_by, row.second_by].filter(id => id !== null)))
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  const list = rows.map((row): DeleteBatchRow => {
    const of = counts.get(row.batch_no) ?? {}
    return {
      batch_no: row.batch_no, source: Source.parse(row.source), state: State.parse(row.state), reason: row.reason, people: row.people,
      counts: countsOf(name => of[name] ?? 0),
      hold_until: row.hold_until?.toISOString() ?? null, created_at: row.created_at.toISOString(),
      created_by: nameOf(row.created_by), confirmed_by: nameOf(row.confirmed_by), second_by: nameOf(row.second_by),
      waits_for: row.state === 'checking' ? missing(row) : null,
    }
  })
  return { list, total }
}

/** A batch that is asked for by its number must be one of the school's. */
async function hasBatch(db: PeopleCtx['db'], school_id: number, batch_no: string): Promise<boolean> {
  return (await db.selectFrom('user_delete_batch').select('batch_no').where('school_id', '=', school_id).where('batch_no', '=', batch_no).executeTakeFirst()) !== undefined
}

function missing({ confirmed_by, people }: { confirmed_by: string | null; people: number }): 'confirm' | 'second' {
  return confirmed_by !== null && people > second_person_above ? 'second' : 'confirm'
}

function countsOf(of: (state: (typeof delete_states)[number]) => number): DeleteBatchRow['counts'] {
  return {
    checking: of('checking'), blocked: of('blocked'), holding: of('holding'), deleting: of('deleting'), waiting_proof: of('waiting_proof'), deleted: of('deleted'), error: of('error'),
    cancelled: of('cancelled'),
  }
}

/** Whoever ever made a batch, for the filter. */
export async function listOperators(ctx: PeopleCtx): Promise<Reply<typeof deleteApi.operators>> {
  const rows = await ctx.db.selectFrom('user_delete_batch').select('created_by').distinct().where('school_id', '=', ctx.school_id).where('created_by', 'is not', null).execute()
  const names = await namesOf(ctx, rows.flatMap(row => row.created_by ?? []))
  return { list: [...names].map(([user_id, user_name]) => ({ user_id, user_name })).toSorted((a, b) => a.user_name.localeCompare(b.user_name, 'zh-CN')) }
}
