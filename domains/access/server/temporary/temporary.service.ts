import { accessErrors, TemporaryRow } from '@campus/access/contract'
import type { temporaryApi } from '@campus/access/contract'
import { inScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import { readReceipts } from '../effect/effect.service.ts'
import { derive } from '../grant/derive.ts'
import { requirePlaces } from '../grant/place.ts'
import { isSeen, requireDepts, requirePeople, scopeOf, scopesOf } from '../grant/scope.ts'

const [longest_ms, by_hand] = [180 * 86_400_000, 1] as const

/** One-off rules of pupils or staff, the newest first; rules of departments for who sees one of them. */
export async function listTemporaries(ctx: AccessCtx, { person_kind, state, keyword, page_index, page_size }: Input<typeof temporaryApi.list>): Promise<Reply<typeof temporaryApi.list>> {
  const { db, school_id, now } = ctx
  const stateSql = sql`case when t.revoked_at is not null then 'revoked' when t.valid_to <= ${now} then 'over' when t.valid_from > ${now} then 'coming' else 'running' end`
  const seen = sql`exists (select 1 from temporary_rule_subject s left join live_person l on l.school_id = ${school_id} and l.user_id = s.user_id
    where s.school_id = ${school_id} and s.temporary_rule_id = t.temporary_rule_id and ((s.user_id > 0 and ${isSeen(await scopesOf(ctx))}) or (s.dept_id > 0 and ${inScope('s.dept_id', await scopeOf(ctx, person_kind))}))
      and ${keyword === undefined ? sql`true` : sql`strpos(l.user_name, ${keyword}) > 0`})`
  const which = sql`t.school_id = ${school_id} and ${person_kind === 1 ? sql`t.person_kind = 1` : sql`t.person_kind <> 1`} and ${seen} and ${state === undefined ? sql`true` : sql`${stateSql} = ${state}`}`
  const { rows } = await sql<Record<string, unknown> & { begin_at: Date; end_at: Date }>`
    select t.temporary_rule_id::text, t.effect, t.direction, t.valid_from as begin_at, t.valid_to as end_at, t.max_times, t.reason_code, t.reason, t.source, t.row_version, ${stateSql} as state, b.display_name as created_by_name,
      coalesce((select string_agg(p.place_name, '、') from place_live_v p where p.school_id = ${school_id} and p.place_id = any(t.place_ids)), '所有门') as places,
      (select count(*)::int from temporary_rule_subject s where s.school_id = ${school_id} and s.temporary_rule_id = t.temporary_rule_id and s.user_id > 0) as people,
      coalesce((select string_agg(coalesce(n.display_name, d.dept_name), '、') from (select x.user_id, x.dept_id from temporary_rule_subject x where x.school_id = ${school_id} and x.temporary_rule_id = t.temporary_rule_id limit 5) s
        left join person_label n on n.school_id = ${school_id} and n.user_id = s.user_id left join dept_now d on d.school_id = ${school_id} and d.id = s.dept_id), '') as whom
    from temporary_rule t left join person_label b on b.school_id = ${school_id} and b.user_id = t.created_by
    where ${which} order by t.temporary_rule_id desc limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from temporary_rule t where ${which}`.execute(db)
  return { list: z.array(TemporaryRow).parse(rows.map(row => ({ ...row, begin_at: row.begin_at.toISOString(), end_at: row.end_at.toISOString() }))), total: counted.rows[0]?.total ?? 0 }
}

/** @throws Refusal 404, 422 tempWhom, tempRange, tempPast */
export async function addTemporary(ctx: AccessCtx, { user_ids, dept_ids, begin_at, end_at, ...draft }: Input<typeof temporaryApi.add>): Promise<Reply<typeof temporaryApi.add>> {
  const { db, school_id, now, me } = ctx
  if (user_ids.length + dept_ids.length === 0) throw fail(accessErrors.tempWhom)
  const people = await requirePeople(ctx, user_ids)
  await requireDepts(ctx, dept_ids, await scopeOf(ctx, draft.person_kind))
  await requirePlaces(ctx, draft.place_ids)
  const [valid_from, valid_to] = [new Date(begin_at), new Date(end_at)]
  refuseRange(valid_from, valid_to, now)
  const { temporary_rule_id } = await db.insertInto('temporary_rule').values({ ...draft, school_id, valid_from, valid_to, source: by_hand, created_at: now, created_by: me.user_id }).returning('temporary_rule_id').executeTakeFirstOrThrow()
  const subjects = [...new Set(user_ids)].map(user_id => ({ school_id, temporary_rule_id, user_id }))
  if (subjects.length > 0) await db.insertInto('temporary_rule_subject').values(subjects).execute()
  const depts = [...new Set(dept_ids)].map(dept_id => ({ school_id, temporary_rule_id, dept_id }))
  if (depts.length > 0) await db.insertInto('temporary_rule_subject').values(depts).execute()
  await derive(ctx, dept_ids.length > 0 ? null : user_ids, () => [{ kind: 'temporary', id: temporary_rule_id }])
  ctx.note({ target_kind: 'access.temporary', target_id: temporary_rule_id, target_name: people[0]?.user_name, reason: draft.reason, after: { user_ids, dept_ids, begin_at, end_at, ...draft } })
  return { temporary_rule_id }
}

function refuseRange(from: Date, to: Date, now: Date): void {
  if (to <= from || to.getTime() - from.getTime() > longest_ms) throw fail(accessErrors.tempRange)
  if (to <= now) throw fail(accessErrors.tempPast)
}

/** Another end for a rule that is coming or running. @throws Refusal 404, 409 stale, temporaryEnded, tempSource, 422 tempRange, tempPast */
export async function updateTemporary(ctx: AccessCtx, { temporary_rule_id, row_version, end_at, reason }: Input<typeof temporaryApi.update>): Promise<Reply<typeof temporaryApi.update>> {
  const [before] = await requireRules(ctx, [temporary_rule_id])
  if (!before || before.row_version !== row_version) throw fail(commonErrors.stale)
  refuseClosed(before, ctx.now)
  refuseRange(before.valid_from, new Date(end_at), ctx.now)
  await ctx.db.updateTable('temporary_rule').set({ valid_to: new Date(end_at), reason, row_version: row_version + 1 }).where('school_id', '=', ctx.school_id).where('temporary_rule_id', '=', temporary_rule_id).execute()
  await deriveFor(ctx, [temporary_rule_id])
  ctx.note({ target_kind: 'access.temporary', target_id: temporary_rule_id, reason, before: { end_at: before.valid_to }, after: { end_at } })
  return { temporary_rule_id }
}

/** Takes one-off rights back at once. @throws Refusal 404, 409 temporaryEnded, tempSource */
export async function revokeTemporaries(ctx: AccessCtx, { ids, reason }: Input<typeof temporaryApi.revoke>): Promise<Reply<typeof temporaryApi.revoke>> {
  for (const row of await requireRules(ctx, ids)) refuseClosed(row, ctx.now)
  await ctx.db.updateTable('temporary_rule').set({ revoked_at: ctx.now, revoked_by: ctx.me.user_id }).where('school_id', '=', ctx.school_id).where('temporary_rule_id', 'in', ids).execute()
  await deriveFor(ctx, ids)
  ctx.note({ target_kind: 'access.temporary', reason, before: { ids } })
  return { revoked: ids.length }
}

/** Which doors have taken a one-off rule. @throws Refusal 404 */
export async function temporaryReceipts(ctx: AccessCtx, { temporary_rule_id }: Input<typeof temporaryApi.receipts>): Promise<Reply<typeof temporaryApi.receipts>> {
  await requireRules(ctx, [temporary_rule_id], 'seen')
  return readReceipts(ctx, { kind: 'temporary', id: temporary_rule_id })
}

function refuseClosed({ valid_to, revoked_at, source }: { valid_to: Date; revoked_at: Date | null; source: number }, now: Date): void {
  if (source !== by_hand) throw fail(accessErrors.tempSource)
  if (revoked_at !== null || valid_to <= now) throw fail(accessErrors.temporaryEnded)
}

/** Rules all of whose people and departments he looks after, locked for who changes them. @throws Refusal 404 */
async function requireRules(ctx: AccessCtx, ids: readonly string[], use: 'seen' | 'changed' = 'changed') {
  const { db, school_id } = ctx
  const rows = await db.selectFrom('temporary_rule').selectAll().where('school_id', '=', school_id).where('temporary_rule_id', 'in', [...ids])
    .$if(use === 'changed', query => query.forUpdate()).execute()
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  const subjects = await db.selectFrom('temporary_rule_subject').select(['user_id', 'dept_id', 'temporary_rule_id']).where('school_id', '=', school_id).where('temporary_rule_id', 'in', [...ids]).execute()
  await requirePeople(ctx, subjects.map(row => row.user_id).filter(user_id => user_id !== '0'))
  for (const row of rows) await requireDepts(ctx, subjects.filter(one => one.temporary_rule_id === row.temporary_rule_id && one.dept_id !== '0').map(one => one.dept_id), await scopeOf(ctx, row.person_kind))
  return rows
}

/** Works out the rights of whom rules concern; those of departments concern everybody. */
async function deriveFor(ctx: AccessCtx, ids: readonly string[]): Promise<void> {
  const { db, school_id } = ctx
  const rows = await db.selectFrom('temporary_rule_subject').select(['temporary_rule_id as id', 'user_id', 'dept_id']).where('school_id', '=', school_id).where('temporary_rule_id', 'in', [...ids]).execute()
  const of_depts = [...new Set(rows.filter(row => row.dept_id !== '0').map(row => row.id))]
  const own = Map.groupBy(rows, row => row.user_id)
  const users = of_depts.length > 0 ? null : rows.map(row => row.user_id)
  await derive(ctx, users, user_id => [...of_depts, ...(own.get(user_id) ?? []).map(row => row.id)].map(id => ({ kind: 'temporary', id })))
}
