import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { IdentityCtx } from './db.ts'

/** Who has called within five minutes counts as online; a session in use is noted once a minute. */
export const online_ms = 5 * 60_000

export type AccountFacts = { user_id: string; username: string | null; enabled: boolean; left_at: Date | null; locked_until: Date | null }

/** What the account states of people are made of. */
export async function accountFacts({ db, school_id }: Pick<IdentityCtx, 'db' | 'school_id'>, user_ids: readonly string[]): Promise<AccountFacts[]> {
  return db
    .selectFrom('school_user as u')
    .innerJoin('account as a', 'a.user_id', 'u.user_id')
    .leftJoin('login_throttle as t', join => join.on('t.subject_kind', '=', 'account').onRef('t.subject', '=', 'a.username_key'))
    .select(['u.user_id', 'a.username', 'a.enabled', 'u.left_at', 't.locked_until'])
    .where('u.school_id', '=', school_id)
    .where(sql<boolean>`u.user_id = any(${[...user_ids]}::bigint[])`)
    .execute()
}

/** Memberships with the last sign-in under each and whether it is in use. */
export async function memberFacts(ctx: Pick<IdentityCtx, 'db' | 'now' | 'school_id'>, role_nos: readonly string[]) {
  const { db, school_id } = ctx
  const last = sql<Date | null>`(select max(s.started_at) from session s where s.school_id = ${school_id} and s.role_no = m.role_no)`
  return db
    .selectFrom('role_member as m')
    .leftJoin('school_user as w', join => join.onRef('w.school_id', '=', 'm.school_id').onRef('w.user_id', '=', 'm.acted_for'))
    .select(['m.role_no', 'm.role_id', 'm.user_dep', 'm.valid_from', 'm.valid_to', 'm.source', 'm.reason', 'm.row_version', 'm.acted_for', 'w.user_name as acted_for_name'])
    .select([last.as('last_login_at'), sql<boolean>`${onlineWith(ctx, true)}`.as('online')])
    .where('m.school_id', '=', school_id)
    .where(sql<boolean>`m.role_no = any(${[...role_nos]}::bigint[])`)
    .execute()
}
export type MemberFacts = Awaited<ReturnType<typeof memberFacts>>[number]

/** Is the person `u` at work now: with the membership `m`, or with any identity of the school? */
export function onlineWith({ school_id, now }: Pick<IdentityCtx, 'school_id' | 'now'>, with_member: boolean): RawBuilder<unknown> {
  const whose = with_member ? sql`s.role_no = m.role_no` : sql`s.user_id = u.user_id`
  return sql`exists (
    select from session s where s.school_id = ${school_id} and ${whose} and s.revoked_at is null
      and s.seen_at > ${new Date(now.getTime() - online_ms)} and s.idle_until > ${now} and s.absolute_until > ${now})`
}
