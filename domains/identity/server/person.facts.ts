import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** Facts of one person that are told at most; sessions are forgotten after half a year anyway. */
const most_facts = 1000

/** One role that somebody has or had; `acted_for` names the person it was held for, `ended_at` null = open. */
export type MembershipFact = { role_no: string; role_name: string; acted_for: string | null; began_at: Date; ended_at: Date | null }

/**
 * The roles of a person of a school, begun or over, newest first: the person page tells them (chapter 20 §5.3). Memberships of days to come are left out.
 * The caller decides who may know.
 */
export async function membershipFacts(db: QueryExecutorProvider, { school_id, now }: { school_id: number; now: Date }, user_id: string): Promise<MembershipFact[]> {
  const { rows } = await sql<MembershipFact>`
    select m.role_no::text as role_no, r.name as role_name, f.user_name as acted_for,
      date_trunc('milliseconds', m.valid_from) as began_at, case when m.valid_to <= ${now} then date_trunc('milliseconds', m.valid_to) end as ended_at
    from role_member m join role r on r.school_id = m.school_id and r.role_id = m.role_id
    left join school_user f on f.school_id = m.school_id and f.user_id = m.acted_for
    where m.school_id = ${school_id} and m.user_id = ${user_id} and m.valid_from <= ${now} order by m.valid_from desc limit ${most_facts}`.execute(db)
  return rows
}

/** `password`: of the account's present password, who gave it. `login`: one session of the console or of a sub-application. */
export type AccountFact = { id: string; at: Date; kind: 'opened' | 'left' | 'password_own' | 'password_first' | 'password_reset' | 'login_web' | 'login_mini'; device: string | null }

/**
 * What happened to the account of a person in a school, newest first, without addresses and secrets; nothing of a super account. The caller decides who
 * may know.
 */
export async function accountFacts(db: QueryExecutorProvider, school_id: number, user_id: string): Promise<AccountFact[]> {
  const { rows } = await sql<AccountFact>`
    with one as (
      select u.created_at, u.left_at, a.pwd_set_at, a.pwd_state from school_user u join account a on a.user_id = u.user_id
      where u.school_id = ${school_id} and u.user_id = ${user_id} and a.super_slot is null),
    facts as (
      select 'opened' as id, created_at as at, 'opened' as kind, null::varchar as device from one
      union all select 'left', left_at, 'left', null from one where left_at is not null
      union all select 'password', pwd_set_at, case pwd_state when 1 then 'password_own' when 2 then 'password_first' else 'password_reset' end, null from one where pwd_set_at is not null
      union all select s.session_id::text, s.started_at, 'login_' || s.client, s.device_label from session s
        where s.school_id = ${school_id} and s.user_id = ${user_id} and s.parent_session_id is null and exists (select from one))
    select id, date_trunc('milliseconds', at) as at, kind, device from facts order by at desc limit ${most_facts}`.execute(db)
  return rows
}
