import type { AccountState, memberApi, MemberRow } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { accountFacts, memberFacts, onlineWith } from './member.facts.ts'
import type { AccountFacts, MemberFacts } from './member.facts.ts'
import { requireRole } from './role.access.ts'
import { endOfDay, lastDay, schoolDay, startOfDay } from './school-day.ts'

type Query = Input<typeof memberApi.list>
type Row = z.output<typeof MemberRow>
/** Who reads: a handler, or a job on behalf of an identity. */
export type ReadCtx = Pick<IdentityCtx, 'app' | 'db' | 'me' | 'now' | 'school_id' | 'scoped'>
export type Found = { user_id: string; user_no: string; user_name: string; user_photo: string | null; user_kind: number; role_no: string | null }
const ending_ms = 7 * 86_400_000
/** PERSON_KIND of staff: among the people to choose from they come first, since roles are mostly theirs. */
const staff_kind = 2

/**
 * Members of a role, or the people of the school to choose from: within the caller's departments, by number.
 * @throws Refusal 404 for a role or department the school does not have
 */
export async function listPeople(ctx: ReadCtx, query: Query): Promise<Reply<typeof memberApi.list>> {
  const { role, found, total } = await findPeople(ctx, query)
  return { list: await completed(ctx, found, role?.name ?? ''), total }
}

/** Who is asked for, in the order of the list, without the facts of each. @throws Refusal as `listPeople` */
export async function findPeople(ctx: ReadCtx, query: Query): Promise<{ role: { name: string } | null; found: Found[]; total: number }> {
  const role = query.role_id === undefined ? null : await requireRole(ctx.db, ctx.school_id, query.role_id)
  const where = await conditions(ctx, query)
  const member = query.role_id === undefined ? sql`` : sql`join role_member m on m.school_id = u.school_id and m.user_id = u.user_id and m.role_id = ${query.role_id}`
  const from = sql`from school_user u ${member} where u.school_id = ${ctx.school_id} and ${sql.join(where, sql` and `)}`
  const { rows } = await sql<Found>`
    select u.user_id, u.user_no, u.user_name, u.user_photo, u.user_kind, ${role ? sql`m.role_no` : sql`null::bigint`} as role_no ${from}
    order by ${role ? sql`` : sql`u.user_kind <> ${staff_kind},`} u.user_no, role_no limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(ctx.db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(ctx.db)
  return { role, found: rows, total: counted.rows[0]?.total ?? 0 }
}

/** What the asked people have in common; columns of the person are `u`, of the membership `m`. */
async function conditions(ctx: ReadCtx, query: Query): Promise<RawBuilder<unknown>[]> {
  ctx.scoped()
  const known = directory.one(ctx.app)
  const { users } = await known.covers(ctx)
  const where = users === 'all' ? [sql`true`] : [sql`u.user_id in (${users})`]
  if (query.role_id === undefined) where.push(sql`u.left_at is null`)
  else where.push(inState(query.state ?? 'current', ctx.now))
  if (query.keyword) where.push(sql`(${ownWays(query.keyword)} or u.user_id in (${known.search(ctx.school_id, query.keyword)}))`)
  if (query.dept_id !== undefined) {
    const members = await known.members(ctx, query.dept_id)
    if (!members) throw fail(commonErrors.notFound)
    where.push(sql`u.user_id in (${members})`)
  }
  if (query.online !== undefined) {
    const is_online = onlineWith(ctx, query.role_id !== undefined)
    where.push(query.online ? is_online : sql`not ${is_online}`)
  }
  return where
}

/** What identity knows of a person by itself: part of the name, beginning of the number. */
function ownWays(keyword: string): RawBuilder<unknown> {
  return sql`(strpos(u.name_key, ${nameKey(keyword)}) > 0 or starts_with(u.user_no_lower, ${numberKey(keyword)}))`
}

function inState(state: 'current' | 'future' | 'ended', now: Date): RawBuilder<unknown> {
  if (state === 'future') return sql`m.valid_from > ${now}`
  return state === 'ended' ? sql`m.valid_to <= ${now}` : sql`(m.valid_from <= ${now} and (m.valid_to is null or m.valid_to > ${now}))`
}

/** The facts of people who were found. */
export async function completed(ctx: ReadCtx, rows: readonly Found[], role_name: string): Promise<Row[]> {
  const known = directory.one(ctx.app)
  const { db, school_id, now } = ctx
  const depts = await known.deptsOf(db, school_id, rows.map(row => row.user_id))
  const accounts = new Map((await accountFacts(ctx, rows.map(row => row.user_id))).map(facts => [facts.user_id, facts]))
  const members = new Map((await memberFacts(ctx, rows.flatMap(row => row.role_no ?? []))).map(facts => [facts.role_no, facts]))
  const held_under = await known.labels(db, school_id, [...members.values()].map(member => member.user_dep).filter(dept_id => dept_id !== '1'))
  return rows.map(({ role_no, ...person }) => {
    const member = members.get(role_no ?? '')
    const view = member && viewMember(member, { role_name, user_dep_name: held_under.get(member.user_dep) ?? null, now })
    return { ...person, dept_name: depts.get(person.user_id) ?? null, account_state: accountState(accounts.get(person.user_id), now), member: view ?? null }
  })
}

/** The state of an account in words of the contract. */
export function accountState(facts: AccountFacts | undefined, now: Date): AccountState {
  if (!facts || facts.left_at) return 'left'
  if (!facts.enabled) return 'disabled'
  if (facts.username === null) return 'none'
  return facts.locked_until && facts.locked_until > now ? 'locked' : 'normal'
}

const sources = ['manual', 'import', 'rule', 'sync'] as const

function viewMember(facts: MemberFacts, { role_name, user_dep_name, now }: { role_name: string; user_dep_name: string | null; now: Date }): NonNullable<Row['member']> {
  const { role_no, role_id, user_dep, valid_from, valid_to, reason, row_version, last_login_at, online, acted_for, acted_for_name } = facts
  const ended = valid_to !== null && valid_to <= now
  return {
    role_no, role_id, role_name, user_dep, user_dep_name, reason, row_version, online, acted_for, acted_for_name,
    valid_from: schoolDay(valid_from),
    valid_to: lastDay(valid_to),
    ended_at: valid_to?.toISOString() ?? null,
    state: ended ? 'ended' : valid_from > now ? 'future' : 'current',
    is_ending: !ended && valid_to !== null && valid_to.getTime() - now.getTime() <= ending_ms,
    source: sources.find(known => known === facts.source) ?? 'manual',
    last_login_at: last_login_at?.toISOString() ?? null,
  }
}

/** Who held the role at some time of a day, within the caller's departments (chapter 10 B3). @throws Refusal 404 */
export async function listHolders(ctx: IdentityCtx, { role_id, on, page_index, page_size }: Input<typeof memberApi.holders>): Promise<Reply<typeof memberApi.holders>> {
  ctx.scoped()
  await requireRole(ctx.db, ctx.school_id, role_id)
  const { users } = await directory.one(ctx.app).covers(ctx)
  const base = ctx.db
    .selectFrom('role_member as m')
    .innerJoin('school_user as u', join => join.onRef('u.school_id', '=', 'm.school_id').onRef('u.user_id', '=', 'm.user_id'))
    .where('m.school_id', '=', ctx.school_id)
    .where('m.role_id', '=', role_id)
    .where('m.valid_from', '<', endOfDay(on))
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', startOfDay(on))]))
    .$if(users !== 'all', query => query.where(sql<boolean>`u.user_id in (${users})`))
  const rows = await base
    .select(['m.role_no', 'u.user_id', 'u.user_no', 'u.user_name', 'm.valid_from', 'm.valid_to'])
    .orderBy('u.user_no')
    .orderBy('m.role_no')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
  const { total } = await base.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const list = rows.map(({ valid_from, valid_to, ...row }) => ({ ...row, valid_from: schoolDay(valid_from), valid_to: lastDay(valid_to), ended_at: valid_to?.toISOString() ?? null }))
  return { list, total }
}
