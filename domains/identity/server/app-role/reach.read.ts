import { commonErrors, fail } from '@kit/contract'
import { reach_ways } from '@campus/identity/contract'
import type { appRoleApi, ReachReply, ReachWay } from '@campus/identity/contract'
import type { Input } from '@kit/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { IdentityCtx } from '../db.ts'
import { directory } from '../directory.ts'
import { requireAppRole } from './app-role.access.ts'
import type { FoundAppRole } from './app-role.access.ts'
import { bindsOf } from './app-role.read.ts'
import { isOfKind, namedUsers, reachedBy } from './reach.ts'

type Query = Input<typeof appRoleApi.reach>
type Counted = { people: number } & Record<ReachWay, number>
type Found = { user_id: string; user_no: string; user_name: string; ways: string[] }

/**
 * How many people a role would reach, and who: as it is saved, and with what is being chosen. The figures count everybody, the list names those
 * the reader may see.
 * @throws Refusal 404 for a role or a department the school does not have
 */
export async function readReach(ctx: IdentityCtx, query: Query): Promise<ReachReply> {
  ctx.scoped()
  const role = await requireAppRole(ctx.db, ctx.school_id, query.role_id)
  await requireKnown(ctx, query)
  const binds = await bindsOf(ctx.db, ctx.school_id, role.role_id)
  const named = namedUsers(ctx.school_id, role.role_id, ctx.now)
  const now = await countReached(ctx, role, await reachedBy(ctx, { kind: role.client_kind, users: named, ...binds }))
  const { dept_ids = binds.dept_ids, role_group_ids = binds.role_group_ids, is_for_all = binds.is_for_all } = query
  const reached = await reachedBy(ctx, { kind: role.client_kind, users: draftUsers(ctx.school_id, named, query), dept_ids, role_group_ids, is_for_all })
  const { people, ...by } = await countReached(ctx, role, reached)
  return { reached: people, reached_now: now.people, by, ...(await listReached(ctx, role, reached, query)) }
}

/** How many people a role reaches as it is saved. */
export async function countReach(ctx: IdentityCtx, role: FoundAppRole): Promise<number> {
  const binds = await bindsOf(ctx.db, ctx.school_id, role.role_id)
  const reached = await reachedBy(ctx, { kind: role.client_kind, users: namedUsers(ctx.school_id, role.role_id, ctx.now), ...binds })
  return (await countReached(ctx, role, reached)).people
}

async function requireKnown(ctx: IdentityCtx, { dept_ids = [], add_user_ids }: Query): Promise<void> {
  const names = await directory.one(ctx.app).labels(ctx.db, ctx.school_id, dept_ids)
  const people = await ctx.db.selectFrom('school_user').select('user_id').where('school_id', '=', ctx.school_id).where(sql<boolean>`user_id = any(${add_user_ids}::bigint[])`).execute()
  if (dept_ids.some(dept_id => !names.has(dept_id)) || people.length < new Set(add_user_ids).size) throw fail(commonErrors.notFound)
}

function draftUsers(school_id: number, named: RawBuilder<unknown>, { add_user_ids, drop_user_ids }: Query): RawBuilder<unknown> {
  return sql`
    select n.user_id from (${named}) n where n.user_id <> all(${drop_user_ids}::bigint[])
    union select a.user_id from school_user a where a.school_id = ${school_id} and a.user_id = any(${add_user_ids}::bigint[])`
}

/** People of the role's kind who are here, each with his ways. */
function peopleOf({ school_id, now }: IdentityCtx, { client_kind }: FoundAppRole, reached: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    from (select e.user_id, array_agg(distinct e.way order by e.way) as ways from (${reached}) e group by e.user_id) r
    join school_user u on u.user_id = r.user_id
    where u.school_id = ${school_id} and ${isOfKind({ school_id, now }, client_kind)}`
}

async function countReached(ctx: IdentityCtx, role: FoundAppRole, reached: RawBuilder<unknown>): Promise<Counted> {
  const ways = sql.join(reach_ways.map(way => sql`(count(*) filter (where ${way} = any(r.ways)))::int as ${sql.ref(way)}`))
  const { rows } = await sql<Counted>`select count(*)::int as people, ${ways} ${peopleOf(ctx, role, reached)}`.execute(ctx.db)
  return rows[0] ?? { people: 0, user: 0, dept: 0, role_group: 0, everyone: 0 }
}

async function listReached(ctx: IdentityCtx, role: FoundAppRole, reached: RawBuilder<unknown>, query: Query): Promise<Pick<ReachReply, 'list' | 'total'>> {
  const { db, school_id, app } = ctx
  const known = directory.one(app)
  const { users } = await known.covers(ctx)
  const seen = users === 'all' ? sql`` : sql`and u.user_id in (${users})`
  const way = query.way === undefined ? sql`` : sql`and ${query.way} = any(r.ways)`
  const word = query.keyword ? sql`and (strpos(u.name_key, ${nameKey(query.keyword)}) > 0 or starts_with(u.user_no_lower, ${numberKey(query.keyword)}) or u.user_id in (${known.search(school_id, query.keyword)}))` : sql``
  const from = sql`${peopleOf(ctx, role, reached)} ${seen} ${way} ${word}`
  const { rows } = await sql<Found>`select u.user_id, u.user_no, u.user_name, r.ways ${from} order by u.user_no limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(db)
  const depts = await known.deptsOf(db, school_id, rows.map(row => row.user_id))
  const list = rows.map(row => ({ ...row, dept_name: depts.get(row.user_id) ?? null, ways: reach_ways.filter(one => row.ways.includes(one)) }))
  return { list, total: counted.rows[0]?.total ?? 0 }
}
