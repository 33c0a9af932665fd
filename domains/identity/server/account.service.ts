import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { accountApi } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { callerOf, lockOfAccount, requireManageable, requireTarget, schoolsElsewhere } from './account.target.ts'
import { reachesFurther } from './account.takeover.ts'
import type { Target } from './account.target.ts'
import type { Desk, IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { forgetSessions } from './gate.ts'
import { accountFacts } from './member.facts.ts'
import { accountState } from './member.read.ts'
import { revokeRemembered } from './remember.queries.ts'
import { keepAdministered } from './role.access.ts'
import { revokeSessions } from './session.queries.ts'
import { forgetGuesses } from './throttle.queries.ts'

type Whom = { user_id: string }
/** What is asked of other schools before the transaction of this one begins. */
type Step<R> = (ctx: IdentityCtx) => Promise<R>

/** The state of one account. @throws Refusal 404 for somebody the caller does not reach */
export async function readAccount(pre: Pre, { user_id }: Whom): Promise<Step<Reply<typeof accountApi.state>>> {
  const elsewhere = await elsewhereOf(pre, user_id)
  return async ctx => {
    const { user_no, user_name, username, pwd_state, pwd_set_at, ...target } = await requireTarget(ctx, user_id)
    const [facts] = await accountFacts(ctx, [user_id])
    const depts = await directory.one(ctx.app).deptsOf(ctx.db, ctx.school_id, [user_id])
    const { sessions, last_login_at } = await sessionFacts(ctx, user_id)
    const locked = lockOfAccount(ctx.me, { user_no, user_name, username, pwd_state, pwd_set_at, ...target }, elsewhere)
    return {
      user_id, user_no, user_name, username, pwd_state, sessions,
      dept_name: depts.get(user_id) ?? null,
      account_state: accountState(facts, ctx.now),
      pwd_set_at: pwd_set_at?.toISOString() ?? null,
      locked_until: facts?.locked_until && facts.locked_until > ctx.now ? facts.locked_until.toISOString() : null,
      is_vulnerable: target.vuln_reason !== null,
      last_login_at: last_login_at?.toISOString() ?? null,
      refused: locked?.msg ?? null,
    }
  }
}

function sessionFacts({ db, school_id, now }: IdentityCtx, user_id: string) {
  const is_live = sql`revoked_at is null and idle_until > ${now} and absolute_until > ${now}`
  return db
    .selectFrom('session')
    .select([sql<number>`count(*) filter (where ${is_live})::int`.as('sessions'), sql<Date | null>`max(started_at)`.as('last_login_at')])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
}

/** Takes away a lock from wrong passwords before its time; of nobody who may do or see more than the caller, who could be guessing. @throws Refusal 404, 409 severalSchools, 422 */
export async function unlockAccount(pre: Pre, { user_id }: Whom): Promise<Step<Record<string, never>>> {
  const elsewhere = await elsewhereOf(pre, user_id)
  return async ctx => {
    const target = await requireChangeable(ctx, user_id, elsewhere)
    if (await reachesFurther(ctx, user_id)) throw fail(identityErrors.higherAccount)
    const before = (await accountFacts(ctx, [user_id]))[0]?.locked_until ?? null
    if (target.username_key !== null) await forgetGuesses(ctx.db, target.username_key)
    noteOf(ctx, target, { before: { locked_until: before?.toISOString() ?? null }, after: { locked_until: null } })
    return {}
  }
}

/**
 * Shuts an account: no login any more, in none of its schools; sessions and remembered logins end.
 * @throws Refusal 404, 409 severalSchools, lastAdmin, 422
 */
export async function disableAccount(pre: Pre, { user_id }: Whom): Promise<Step<{ sessions: number }>> {
  const elsewhere = await elsewhereOf(pre, user_id)
  return ctx =>
    keepAdministered(ctx, async () => {
      const { app, db, school_id, now } = ctx
      const target = await requireChangeable(ctx, user_id, elsewhere)
      const changed = await setEnabled(ctx, user_id, false)
      await revokeRemembered(db, user_id, now)
      const ended = await revokeSessions(db, { app, school_id, user_id, reason: 'disabled', now }, undefined)
      forgetSessions(app, ended)
      if (changed) await publish(ctx, identityEvents.accountDisabled, { user_id })
      noteOf(ctx, target, { before: { enabled: target.enabled }, after: { enabled: false, sessions: ended.length } })
      return { sessions: ended.length }
    })
}

/** Opens a shut account again. @throws Refusal 404, 409 severalSchools, 422 */
export async function enableAccount(pre: Pre, { user_id }: Whom): Promise<Step<Record<string, never>>> {
  const elsewhere = await elsewhereOf(pre, user_id)
  return async ctx => {
    const target = await requireChangeable(ctx, user_id, elsewhere)
    if (await setEnabled(ctx, user_id, true)) await publish(ctx, identityEvents.accountEnabled, { user_id })
    noteOf(ctx, target, { before: { enabled: target.enabled }, after: { enabled: true } })
    return {}
  }
}

/** Signs a person out of this school everywhere; he may sign in again. Belonging to another school is no hindrance. @throws Refusal 404, 422 ownAccount */
export async function kickAccount(ctx: IdentityCtx, { user_id }: Whom): Promise<{ sessions: number }> {
  const { app, db, school_id, me, now } = ctx
  const target = await requireTarget(ctx, user_id)
  requireManageable(me, target, [])
  const ended = await revokeSessions(db, { app, school_id, user_id, reason: 'kicked', now }, undefined)
  forgetSessions(app, ended)
  noteOf(ctx, target, { after: { sessions: ended.length } })
  return { sessions: ended.length }
}

function elsewhereOf(pre: Pre, user_id: string): Promise<number[]> {
  const desk: Desk = pre
  return schoolsElsewhere(desk, callerOf(pre).school_id, user_id)
}

async function requireChangeable(ctx: IdentityCtx, user_id: string, elsewhere: readonly number[]): Promise<Target> {
  const target = await requireTarget(ctx, user_id)
  requireManageable(ctx.me, target, elsewhere)
  if (target.username === null) throw fail(identityErrors.noLogin)
  return target
}

/** Whether it was otherwise before. */
async function setEnabled({ db, now }: IdentityCtx, user_id: string, enabled: boolean): Promise<boolean> {
  const changed = await db.updateTable('account').set({ enabled, departed_at: null, updated_at: now }).where('user_id', '=', user_id).where('enabled', '!=', enabled).returning('user_id').execute()
  return changed.length > 0
}

function noteOf(ctx: IdentityCtx, { user_id, user_name }: Target, more: { before?: Record<string, unknown>; after?: Record<string, unknown> }): void {
  ctx.note({ target_kind: 'account', target_id: user_id, target_name: user_name, ...more })
}
