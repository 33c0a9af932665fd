import { identityEvents } from '@campus/identity/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { IdentityStep } from './db.ts'
import { revokeIdentities } from './role.sessions.ts'

type Step = Pick<IdentityStep, 'app' | 'db' | 'school_id' | 'now'>

/** A substitution that was cut short. `had_to`: its end before, as a text with its microseconds; `until`: the moment it ends now. */
export type CutActing = { role_no: string; role_id: string; user_id: string; acted_for: string; valid_from: Date; had_to: string; until: Date }

/**
 * What others hold on behalf of these people lasts no longer than what they hold themselves (chapter 10 B4). Called in the transaction that has
 * ended or changed their memberships: a substitution that outlasts its membership ends with it, one that has not begun by then is taken back. Those that
 * are over now are told by an event, and their sessions end.
 */
export async function endActing(step: Step, user_ids: readonly string[], by?: string): Promise<{ cut: CutActing[]; sessions: number }> {
  const { db, school_id, now } = step
  const cut = await outlasting(step, user_ids)
  const ahead = cut.filter(one => one.until <= one.valid_from)
  for (const { role_no, until } of cut.filter(one => one.until > one.valid_from)) {
    await db
      .updateTable('role_member')
      .set(eb => ({ valid_to: until, updated_at: now, row_version: eb('row_version', '+', 1), ...(by === undefined ? {} : { updated_by: by }) }))
      .where('school_id', '=', school_id)
      .where('role_no', '=', role_no)
      .execute()
  }
  if (ahead.length > 0) await db.deleteFrom('role_member').where('school_id', '=', school_id).where('role_no', 'in', ahead.map(one => one.role_no)).execute()
  const over = cut.filter(one => one.until <= now || ahead.includes(one))
  if (over.length === 0) return { cut, sessions: 0 }
  await publish(step, identityEvents.memberEnded, { members: over.map(({ role_no, role_id, user_id }) => ({ role_no, role_id, user_id })) })
  return { cut, sessions: await revokeIdentities(step, over.map(one => one.role_no)) }
}

/** Substitutions in force or ahead that end later than the membership they were given for: same role and department, in the same time. */
async function outlasting({ db, school_id, now }: Step, user_ids: readonly string[]): Promise<CutActing[]> {
  const { rows } = await sql<CutActing>`
    select s.role_no, s.role_id, s.user_id, s.acted_for, s.valid_from, s.valid_to::text as had_to, e.until
    from role_member s cross join lateral (
      select greatest(${now}::timestamptz, max(coalesce(m.valid_to, 'infinity'))) as until from role_member m
      where m.school_id = ${school_id} and m.role_id = s.role_id and m.user_id = s.acted_for and m.user_dep = s.user_dep and m.acted_for is null
        and m.valid_from < s.valid_to and coalesce(m.valid_to, 'infinity') > s.valid_from) e
    where s.school_id = ${school_id} and s.acted_for = any(${[...user_ids]}::bigint[]) and s.valid_to > ${now} and e.until < s.valid_to
    order by s.role_no for update of s`.execute(db)
  return rows
}
