import { accessErrors, BanRow } from '@campus/access/contract'
import type { banApi } from '@campus/access/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import type { CausesOf } from '../effect/record.ts'
import { derive } from '../grant/derive.ts'
import { requirePlaces } from '../grant/place.ts'
import { isSeen, requirePeople, scopesOf } from '../grant/scope.ts'

/** Bans of pupils or staff, those in force first. */
export async function listBans(ctx: AccessCtx, { person_kind, keyword, page_index, page_size }: Input<typeof banApi.list>): Promise<Reply<typeof banApi.list>> {
  const { db, school_id, now } = ctx
  const from = sql`access_ban b join live_person l on l.school_id = ${school_id} and l.user_id = b.user_id and ${isSeen(await scopesOf(ctx))} and ${person_kind === 1 ? sql`l.person_kind = 1` : sql`l.person_kind <> 1`}
    left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id left join place_live_v p on p.school_id = ${school_id} and p.place_id = b.place_id
    where b.school_id = ${school_id} and ${keyword === undefined ? sql`true` : sql`strpos(l.user_name, ${keyword}) > 0`}`
  const { rows } = await sql<Record<string, unknown> & { begin_at: Date; end_at: Date }>`
    select b.ban_id::text, b.user_id::text, l.user_name, d.dept_name, b.direction, p.place_name, b.valid_from as begin_at, b.valid_to as end_at, b.reason, (b.lifted_at is null and b.valid_to > ${now}) as is_open
    from ${from} order by is_open desc, b.ban_id desc limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db)
  return { list: z.array(BanRow).parse(rows.map(row => ({ ...row, begin_at: row.begin_at.toISOString(), end_at: row.end_at.toISOString() }))), total: counted.rows[0]?.total ?? 0 }
}

/** @throws Refusal 404, 409 banOverlap, 422 tempRange, tempPast */
export async function addBans(ctx: AccessCtx, { user_ids, begin_at, end_at, ...draft }: Input<typeof banApi.add>): Promise<Reply<typeof banApi.add>> {
  const { db, school_id, now, me } = ctx
  const people = await requirePeople(ctx, user_ids)
  if (draft.place_id !== null) await requirePlaces(ctx, [draft.place_id])
  const [valid_from, valid_to] = [new Date(begin_at), new Date(end_at)]
  if (valid_to <= valid_from) throw fail(accessErrors.tempRange)
  if (valid_to <= now) throw fail(accessErrors.tempPast)
  const rows = people.map(({ user_id }) => ({ ...draft, school_id, user_id, valid_from, valid_to, created_at: now, created_by: me.user_id }))
  const made = await db.insertInto('access_ban').values(rows).returning(['ban_id', 'user_id']).execute()
  await derive(ctx, user_ids, causesOf(made))
  ctx.note({ target_kind: 'access.ban', target_name: people[0]?.user_name, reason: draft.reason, after: { user_ids, begin_at, end_at } })
  return { added: people.length }
}

/** Ends bans now. @throws Refusal 404, 409 temporaryEnded */
export async function liftBans(ctx: AccessCtx, { ids, reason }: Input<typeof banApi.lift>): Promise<Reply<typeof banApi.lift>> {
  const { db, school_id, now, me } = ctx
  const rows = await db.selectFrom('access_ban').select(['ban_id', 'user_id', 'lifted_at', 'valid_to']).where('school_id', '=', school_id).where('ban_id', 'in', ids).forUpdate().execute()
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  await requirePeople(ctx, rows.map(row => row.user_id))
  if (rows.some(row => row.lifted_at !== null || row.valid_to <= now)) throw fail(accessErrors.temporaryEnded)
  await db.updateTable('access_ban').set({ lifted_at: now, lifted_by: me.user_id, lift_reason: reason }).where('school_id', '=', school_id).where('ban_id', 'in', ids).execute()
  await derive(ctx, rows.map(row => row.user_id), causesOf(rows))
  ctx.note({ target_kind: 'access.ban', reason, before: { ids } })
  return { lifted: rows.length }
}

function causesOf(bans: readonly { ban_id: string; user_id: string }[]): CausesOf {
  const own = Map.groupBy(bans, ban => ban.user_id)
  return user_id => (own.get(user_id) ?? []).map(({ ban_id: id }) => ({ kind: 'ban', id }))
}
