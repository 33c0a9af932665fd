import { identityErrors } from '@campus/identity/contract'
import type { accountApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure, Input, Reply } from '@kit/contract'
import { Port } from '@kit/server/http'
import type { App, Me } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { openLogins } from './account.open.ts'
import { setSysPwd } from './account.reset.ts'
import { reachesFurther } from './account.takeover.ts'
import { lockOfAccount, reachAccounts, schoolsElsewhere } from './account.target.ts'
import type { Target } from './account.target.ts'
import type { Desk, IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { countReset } from './throttle.queries.ts'

/** Who asks for slips, in the transaction that orders them. */
type SlipOrder = { app: App; db: QueryExecutorProvider; school_id: number; me: Me; now: Date }

/** What prints passwords on paper: a job that calls `issueSlips` and leaves a file for whoever asked. Answers its job_no. */
export type PasswordSlips = { order(ctx: SlipOrder, user_ids: readonly string[]): Promise<string> }

/** Filled by people, who own the slips (chapter 20 rule 24). */
export const passwordSlipPort = new Port<PasswordSlips>('identity.password_slips')

/** One line of a slip file; `password` null: he got none, `refused` says why. */
export type Slip = { user_id: string; user_no: string; user_name: string; dept_name: string | null; username: string | null; password: string | null; refused: string | null; /** the login was opened with it */ is_first: boolean }

/**
 * Orders new one-time passwords for many people; they are made by a job, which prints them (`userInfo/setSysPwd`). This answer holds none.
 * @throws Refusal 404 when the caller reaches none of them
 */
export async function orderSlips(ctx: IdentityCtx, { user_ids }: Input<typeof accountApi.setSysPwd>): Promise<Reply<typeof accountApi.setSysPwd>> {
  ctx.scoped()
  const reached = await reachAccounts(ctx, user_ids)
  if (reached.length === 0) throw fail(commonErrors.notFound)
  const job_no = await passwordSlipPort.one(ctx.app).order(ctx, reached.map(target => target.user_id))
  ctx.note({ target_kind: 'account', job_no, after: { count: reached.length } })
  return { job_no, count: reached.length }
}

/**
 * Gives these people passwords, as far as the caller may reset each of them; for the work that prints them. Who has no login gets his first one. Every one
 * of the others is told by the line about changed passwords.
 */
export async function issueSlips(desk: Desk, { school_id, me }: { school_id: number; me: Me }, user_ids: readonly string[]): Promise<Slip[]> {
  const { targets, depts } = await desk.own(school_id, async db => {
    const found = await reachAccounts({ ...desk, db, school_id, me }, user_ids)
    return { targets: found, depts: await directory.one(desk.app).deptsOf(db, school_id, found.map(target => target.user_id)) }
  })
  const refused = new Map<string, Failure>()
  for (const target of targets) {
    const failure = await refusalOf(desk, { school_id, me }, target)
    if (failure) refused.set(target.user_id, failure)
  }
  const free = targets.filter(target => !refused.has(target.user_id))
  const issued = await setSysPwd(desk, { school_id, me }, free.filter(target => target.username !== null))
  const opened = new Map((await openLogins(desk, school_id, free.filter(target => target.username === null))).map(login => [login.user_id, login]))
  const passwords = new Map(issued.map(({ user_id, password }) => [user_id, password]))
  return targets.map(({ user_id, user_no, user_name, username }) => {
    const login = opened.get(user_id)
    const first = login?.refused === undefined ? login : undefined
    return {
      user_id, user_no, user_name,
      username: first?.username ?? username,
      dept_name: depts.get(user_id) ?? null,
      password: first?.password ?? passwords.get(user_id) ?? null,
      refused: (refused.get(user_id) ?? login?.refused)?.msg ?? null,
      is_first: first !== undefined,
    }
  })
}

async function refusalOf(desk: Desk, { school_id, me }: { school_id: number; me: Me }, target: Target): Promise<Failure | null> {
  const locked = lockOfAccount(me, target, await schoolsElsewhere(desk, school_id, target.user_id))
  if (locked) return locked
  if (await desk.own(school_id, db => reachesFurther({ ...desk, db, school_id, me }, target.user_id))) return identityErrors.higherAccount
  if (target.vuln_reason !== null && !me.is_super) return identityErrors.vulnerableAccount
  const wait = await desk.own(0, db => countReset(db, target.user_id, desk.now))
  return wait > 0 ? identityErrors.resetTooOften : null
}
