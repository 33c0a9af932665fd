import { expiring_days } from '@campus/identity/contract'
import type { accountApi, AccountConcern, AccountGauges, ConcernRow } from '@campus/identity/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { isBelow } from './password-effect.ts'
import { readRule } from './password-set.queries.ts'
import type { PasswordRule } from './password-rule/rule.ts'

const day_ms = 86_400_000
type Found = { user_id: string; user_no: string; user_name: string; username: string; since: Date | null; until: Date | null; is_vulnerable: boolean; several: boolean }

/** How many accounts of each concern stand within the caller's departments. */
export async function countConcerns(ctx: IdentityCtx): Promise<AccountGauges> {
  const is = concernsOf(await readRule(ctx.db, ctx.school_id), ctx.now)
  const { rows } = await sql<AccountGauges>`
    select count(*) filter (where ${is.unchanged})::int as unchanged, count(*) filter (where ${is.expiring})::int as expiring,
      count(*) filter (where ${is.weak})::int as weak, count(*) filter (where ${is.locked})::int as locked
    ${await issuedLogins(ctx)}`.execute(ctx.db)
  return rows[0] ?? { unchanged: 0, expiring: 0, weak: 0, locked: 0 }
}

/** The accounts of one concern; the most pressing first. */
export async function listConcerns(ctx: IdentityCtx, { concern, page_index, page_size }: Input<typeof accountApi.concerns>): Promise<Reply<typeof accountApi.concerns>> {
  const rule = await readRule(ctx.db, ctx.school_id)
  const from = sql`${await issuedLogins(ctx)} and ${concernsOf(rule, ctx.now)[concern]}`
  const until = concern === 'locked' ? sql`t.locked_until` : sql`a.pwd_set_at + make_interval(days => ${concern === 'expiring' ? rule.valid_days : 0})`
  const { rows } = await sql<Found>`
    select u.user_id, u.user_no, u.user_name, a.username, a.pwd_set_at as since, ${until} as until, a.vuln_reason is not null as is_vulnerable,
      (select count(*) > 1 from account_school s where s.user_id = u.user_id) as several
    ${from} order by until, u.user_no limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(ctx.db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(ctx.db)
  const depts = await directory.one(ctx.app).deptsOf(ctx.db, ctx.school_id, rows.map(row => row.user_id))
  return { list: rows.map(row => ({ ...viewOf(ctx, row, concern), dept_name: depts.get(row.user_id) ?? null })), total: counted.rows[0]?.total ?? 0 }
}

function viewOf({ me }: IdentityCtx, { since, until, several, ...row }: Found, concern: AccountConcern): Omit<ConcernRow, 'dept_name'> {
  const is_dated = concern === 'expiring' || concern === 'locked'
  const can_act = row.user_id !== me.user_id && (me.is_super || (!several && !(row.is_vulnerable && concern !== 'locked')))
  return { ...row, can_act, since: since?.toISOString() ?? null, until: is_dated ? (until?.toISOString() ?? null) : null }
}

/** Logins of people who are here, within the caller's departments: person `u`, account `a`, its throttle `t`. Super accounts are nobody's business. */
async function issuedLogins(ctx: IdentityCtx): Promise<RawBuilder<unknown>> {
  ctx.scoped()
  const { users } = await directory.one(ctx.app).covers(ctx)
  const within = users === 'all' ? sql`true` : sql`u.user_id in (${users})`
  return sql`from school_user u join account a on a.user_id = u.user_id
    left join login_throttle t on t.subject_kind = 'account' and t.subject = a.username_key
    where u.school_id = ${ctx.school_id} and u.left_at is null and a.username is not null and a.password_hash is not null and a.enabled and a.super_slot is null and ${within}`
}

/** What makes an account each of the concerns, under the school's own rule. */
function concernsOf(rule: PasswordRule, now: Date): Record<AccountConcern, RawBuilder<unknown>> {
  const ends = (days: number) => new Date(now.getTime() + (days - rule.valid_days) * day_ms)
  return {
    unchanged: sql`a.pwd_state in (2, 3)`,
    expiring: rule.valid_days === 0 ? sql`false` : sql`(a.pwd_state = 1 and a.pwd_set_at >= ${ends(0)} and a.pwd_set_at < ${ends(expiring_days)})`,
    weak: sql`(a.vuln_reason is not null or (a.pwd_state = 1 and ${isBelow(rule)}))`,
    locked: sql`coalesce(t.locked_until > ${now}, false)`,
  }
}
