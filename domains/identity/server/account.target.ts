import { identityErrors } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import type { App, Me, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { schoolsOf } from './account.queries.ts'
import type { Desk, IdentityCtx, IdentityHandle } from './db.ts'
import { directory } from './directory.ts'

/** Who asks about accounts, and in which transaction. */
export type Asker = { app: App; db: IdentityHandle; school_id: number; me: Me; now: Date }

/**
 * People of the school within the caller's departments, with their accounts, whether or not a login was issued. Those who have left or whom he
 * does not reach are absent.
 */
export async function reachAccounts({ app, db, school_id, me, now }: Asker, user_ids: readonly string[]) {
  const { users } = await directory.one(app).covers({ db, school_id, me, now })
  return db
    .selectFrom('school_user as u')
    .innerJoin('account as a', 'a.user_id', 'u.user_id')
    .select(['u.user_id', 'u.user_no', 'u.user_name', 'a.username', 'a.username_key', 'a.password_hash', 'a.pwd_state', 'a.pwd_set_at', 'a.enabled', 'a.super_slot', 'a.vuln_reason'])
    .where('u.school_id', '=', school_id)
    .where('u.left_at', 'is', null)
    .where(sql<boolean>`u.user_id = any(${[...user_ids]}::bigint[])`)
    .$if(users !== 'all', query => query.where(sql<boolean>`u.user_id in (${users})`))
    .execute()
}
export type Target = Awaited<ReturnType<typeof reachAccounts>>[number]

/** Inside a call's transaction. @throws Refusal 404 for somebody the caller does not reach */
export async function requireTarget(ctx: IdentityCtx, user_id: string): Promise<Target> {
  ctx.scoped()
  const [target] = await reachAccounts(ctx, [user_id])
  if (!target) throw fail(commonErrors.notFound)
  return target
}

/** Why an account may not be administered here at all; null when it may (chapter 10 R9, R10). */
export function lockOfAccount(me: Pick<Me, 'user_id' | 'is_super'>, target: Target, elsewhere: readonly number[]): Failure | null {
  if (target.super_slot !== null) return identityErrors.superAccount
  if (target.user_id === me.user_id) return identityErrors.ownAccount
  return elsewhere.length > 0 && !me.is_super ? identityErrors.severalSchools : null
}

/** @throws Refusal with the reason of `lockOfAccount` */
export function requireManageable(me: Pick<Me, 'user_id' | 'is_super'>, target: Target, elsewhere: readonly number[]): void {
  const locked = lockOfAccount(me, target, elsewhere)
  if (locked) throw fail(locked)
}

/** The other schools to which a person belongs today; each is asked in a short transaction of its own. */
export async function schoolsElsewhere(desk: Desk, school_id: number, user_id: string): Promise<number[]> {
  const others = (await desk.own(0, db => schoolsOf(db, user_id))).filter(id => id !== school_id)
  const found: number[] = []
  for (const other of others) {
    const here = await desk.own(other, db =>
      db.selectFrom('school_user').select('user_id').where('school_id', '=', other).where('user_id', '=', user_id).where('left_at', 'is', null).executeTakeFirst(),
    )
    if (here) found.push(other)
  }
  return found
}

/** The signed-in caller of a call that owns its transactions. @throws Refusal 401 */
export function callerOf(pre: Pre): Me {
  if (!pre.me) throw fail(commonErrors.unauthorized)
  return pre.me
}
