import { merge_kinds } from '@campus/people/contract'
import type { mergeApi, MergeLogRow, MergeProof } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { subjectNames } from '../change/change.queries.ts'
import { oneOf } from '../dated.ts'
import type { PeopleCtx } from '../db.ts'
import { actors, bothSeen } from './case.service.ts'
import { rekeyPort } from './rekey-port.ts'

const Kind = z.enum(merge_kinds)
const LogState = z.enum(['active', 'reversed'])
const Left = z.object({ left: z.array(z.object({ domain_title: z.string(), title: z.string(), count: z.number(), why: z.enum(['born', 'changed']) })).default([]) })

type Merge = Awaited<ReturnType<typeof readMerges>>[number]

/** Merges that were done, the latest first, under the names both had. */
export async function listMerges(ctx: PeopleCtx, { state, page_index, page_size }: Input<typeof mergeApi.log>): Promise<Reply<typeof mergeApi.log>> {
  const merges = (await seenMerges(ctx)).$if(state !== undefined, query => query.where('m.state', '=', state ?? ''))
  const { total } = await merges.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await readMerges(ctx, merges.orderBy('m.id', 'desc').limit(page_size).offset((page_index - 1) * page_size))
  return { list: await logRows(ctx, rows), total }
}

/** One merge as it is printed. @throws Refusal 404 for one of another school, or of somebody whom the reader does not see */
export async function readMergeProof(ctx: PeopleCtx, { id }: { id: string }): Promise<MergeProof> {
  const { db, school_id, app } = ctx
  const [row] = await logRows(ctx, await readMerges(ctx, (await seenMerges(ctx)).where('m.id', '=', id)))
  if (!row) throw fail(commonErrors.notFound)
  const moved = await db.selectFrom('merge_moved').select(['domain', sql<number>`count(*)::int`.as('count')]).where('school_id', '=', school_id).where('merge_id', '=', id).groupBy('domain').orderBy('domain').execute()
  const titles = new Map(rekeyPort.all(app).map(({ domain, title }) => [domain, title]))
  const people = await subjectNames(db, school_id, [row.keep.user_id, row.drop.user_id])
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const noOf = (user_id: string) => people.get(user_id)?.user_no ?? ''
  return { ...row, school_name, keep_no: noOf(row.keep.user_id), drop_no: noOf(row.drop.user_id), parts: moved.map(({ domain, count }) => ({ domain_title: titles.get(domain) ?? domain, count })) }
}

async function seenMerges(ctx: PeopleCtx) {
  return ctx.db.selectFrom('merge_log as m').where('m.school_id', '=', ctx.school_id).where(await bothSeen(ctx, 'm.keep_user_id'))
}

function readMerges({ school_id }: PeopleCtx, merges: Awaited<ReturnType<typeof seenMerges>>) {
  return merges
    .select(['m.id', 'm.kind', 'm.state', 'm.keep_user_id', 'm.drop_user_id', 'm.merged_by', 'm.merged_at', 'm.reversible_until', 'm.reversed_by', 'm.reversed_at', 'm.snapshot'])
    .select(sql<number>`(select count(*)::int from merge_moved v where v.school_id = ${school_id} and v.merge_id = m.id)`.as('moved'))
    .execute()
}

async function logRows(ctx: PeopleCtx, rows: readonly Merge[]): Promise<MergeLogRow[]> {
  const people = await ownNames(ctx, rows.flatMap(row => [row.keep_user_id, row.drop_user_id]))
  const names = await actors(ctx, rows.flatMap(row => [row.merged_by, ...(row.reversed_by === null ? [] : [row.reversed_by])]))
  return rows.map((row): MergeLogRow => ({
    merge_id: row.id, kind: Kind.parse(row.kind), state: LogState.parse(row.state), moved: row.moved, left: Left.parse(row.snapshot).left,
    keep: { user_id: row.keep_user_id, user_name: people.get(row.keep_user_id) ?? '' }, drop: { user_id: row.drop_user_id, user_name: people.get(row.drop_user_id) ?? '' },
    merged_by: names.get(row.merged_by) ?? null, merged_at: row.merged_at.toISOString(), reversible_until: row.reversible_until.toISOString(),
    reversed_by: row.reversed_by === null ? null : (names.get(row.reversed_by) ?? null), reversed_at: row.reversed_at?.toISOString() ?? null,
  }))
}

async function ownNames({ db, school_id }: PeopleCtx, user_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('person').select(['user_id', 'user_name']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}
