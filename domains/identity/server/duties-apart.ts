import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'

/** Who may change what roles may do, and who may read what was done: 等保三级 wants two different people (chapter 10 A2). */
const admin_code = 'identity.role.edit'
const audit_prefix = 'audit.'
const most_named = 5

type Step = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** Whether a code may be given by somebody who does not hold it: where duties are apart, an administrator appoints auditors and cannot be one. */
export function isOfAuditor({ config }: App, code: string): boolean {
  return config.CAMPUS_SEPARATE_DUTIES && code.startsWith(audit_prefix)
}

/** What an administrator who may do everything may do: everything, but reading the journals where duties are apart. */
export function administratorCodes(app: App): ReadonlySet<string> {
  return app.config.CAMPUS_SEPARATE_DUTIES ? new Set([...app.codes].filter(code => !isOfAuditor(app, code))) : app.codes
}

/** What an auditor may do; empty where duties are not apart. */
export function auditorCodes(app: App): string[] {
  return [...app.codes].filter(code => isOfAuditor(app, code))
}

/**
 * Asked after every change of permissions and memberships, in its transaction.
 * @throws Refusal 422 dutiesApart naming the roles or people that would now hold both
 */
export async function requireApart({ app, db, school_id, now }: Step): Promise<void> {
  if (!app.config.CAMPUS_SEPARATE_DUTIES) return
  const joined = await joinedDuties(db, school_id, now)
  if (joined.length > 0) throw fail(identityErrors.dutiesApart, { params: { who: joined.slice(0, most_named).join('、') } })
}

/** Roles that hold both duties, and people who hold them through several roles or as super accounts, now or from a later day on. */
export async function joinedDuties(db: QueryExecutorProvider, school_id: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with duty as (
      select r.role_id, r.name, bool_or(p.code = ${admin_code}) as edits, bool_or(starts_with(p.code, ${audit_prefix})) as audits
      from role r join role_permission p on p.school_id = r.school_id and p.role_id = r.role_id
      where r.school_id = ${school_id} and r.removed_at is null and (p.code = ${admin_code} or starts_with(p.code, ${audit_prefix}))
      group by r.role_id, r.name)
    select name from duty where edits and audits
    union all
    select u.user_name from role_member m join duty d on d.role_id = m.role_id
      join school_user u on u.school_id = m.school_id and u.user_id = m.user_id left join account a on a.user_id = m.user_id
    where m.school_id = ${school_id} and (m.valid_to is null or m.valid_to > ${now}) and not (d.edits and d.audits)
    group by m.user_id, u.user_name
    having bool_or(d.audits) and (bool_or(d.edits) or bool_or(a.super_slot is not null))
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Takes the journals from every role that also edits roles: what `campus separate-duties` does before the profile is switched on. @returns the roles */
export async function partDuties(db: QueryExecutorProvider, school_id: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with gone as (
      delete from role_permission p where p.school_id = ${school_id} and starts_with(p.code, ${audit_prefix})
        and exists (select from role_permission o where o.school_id = ${school_id} and o.role_id = p.role_id and o.code = ${admin_code})
      returning p.role_id)
    update role r set perm_version = perm_version + 1 where r.school_id = ${school_id} and r.role_id in (select role_id from gone) returning r.name`.execute(db)
  return rows.map(({ name }) => name)
}
