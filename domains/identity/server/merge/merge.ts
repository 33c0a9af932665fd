import { identityErrors, identityEvents } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { asIdentity } from '../db.ts'
import { removeBindsOf, restoreBinds } from '../provider/bind.queries.ts'
import { revokeRemembered } from '../remember.queries.ts'
import { revokeSessions } from '../session.queries.ts'
import { userOff, userOn } from '../user-state.ts'
import type { UserStateDesk } from '../user-state.ts'
import { actingImage, moveActing, restoreActing } from './acting.rows.ts'
import { endElsewhere } from './elsewhere.ts'
import { isNowhere, moveLogin } from './login.ts'
import { planMerge } from './plan.ts'
import { lockHeld, restoreRoles, RoleImage, writePlan } from './role.rows.ts'

const undo_days = 30
const day_ms = 86_400_000

const Bind = z.object({ provider: z.string(), external_id: z.string(), user_id: z.string(), bound_at: z.string(), bound_by: z.string().nullable() })
const Off = z.object({ user_id: z.string(), off_at: z.string(), roles: z.array(z.object({ role_no: z.string(), valid_to: z.string().nullable() })) })
/** What a merge needs to be taken back. */
const Image = z.object({ roles: RoleImage, acting: actingImage.default({ before: [], written: [] }), binds: z.array(Bind), taken_binds: z.array(Bind), off: z.array(Off), login_moved: z.boolean() })
type Pair = { kept_user_id: string; merged_user_id: string }

/**
 * Two accounts of one person in a school become one (chapter 10 §7), in the caller's transaction: the kept user_id takes over what the merged one
 * holds, overlaps collapsed, and what outside systems bound to it; his login too where the kept one has none. Both histories stay with whom they
 * were made; whoever stood in for the merged one stands in for the kept one. All sessions of both in this school end, and elsewhere where a login
 * changed hands; the merged one has left. What is declared of him (`scope_fact`) its owners declare anew.
 * @returns the number with which `unmergeUsers` takes it back within 30 days
 * @throws Refusal 404 memberUnknown when one of them is not here, 422 superAccount, 409 alreadyMerged
 */
export async function mergeUsers(desk: UserStateDesk, pair: Pair): Promise<{ merge_no: string; undo_until: Date }> {
  const { db, school_id, now } = desk
  const { kept_user_id, merged_user_id } = pair
  await requirePair(desk, pair)
  const held = await lockHeld(db, school_id, [kept_user_id, merged_user_id], now)
  // Nobody stands in for himself: what the one held for the other ends.
  const of = (user_id: string) => held.filter(row => row.user_id === user_id && row.acted_for !== kept_user_id && row.acted_for !== merged_user_id)
  const plan = planMerge(of(kept_user_id), of(merged_user_id), now.getTime())
  const roles = await writePlan(desk, pair, plan)
  const acting = await moveActing(desk, pair)
  const { binds, taken_binds } = await moveBinds(desk, pair)
  const off = await userOff(desk, [merged_user_id])
  // Whoever goes on in another school needs his login there.
  const login_moved = (await isNowhere(db, merged_user_id)) && (await moveLogin(db, merged_user_id, kept_user_id, now))
  await endSessions(desk, kept_user_id)
  if (login_moved) await endElsewhere(desk, kept_user_id)
  await tellMoved(desk, pair, plan, roles.written.map(row => row.role_no))
  const undo_until = new Date(now.getTime() + undo_days * day_ms)
  const image = JSON.stringify(Image.parse({ roles, acting, binds, taken_binds, off, login_moved }))
  const { merge_no } = await asIdentity(db)
    .insertInto('account_merge')
    .values({ school_id, ...pair, merged_at: now, undo_until, image })
    .returning('merge_no')
    .executeTakeFirstOrThrow()
  return { merge_no, undo_until }
}

/**
 * Takes a merge back: memberships, binds, login and presence are what they were; a membership that was changed since stays as it is. Sessions of both
 * end again.
 * @throws Refusal 404 mergeUnknown, 409 mergeUndone, mergeLate after 30 days
 */
export async function unmergeUsers(desk: UserStateDesk, merge_no: string): Promise<Pair> {
  const { db, school_id, now } = desk
  const own = asIdentity(db)
  const merge = await own.selectFrom('account_merge').selectAll().where('school_id', '=', school_id).where('merge_no', '=', merge_no).forUpdate().executeTakeFirst()
  if (!merge) throw fail(identityErrors.mergeUnknown)
  if (merge.undone_at !== null) throw fail(identityErrors.mergeUndone)
  if (merge.undo_until <= now) throw fail(identityErrors.mergeLate)
  const { kept_user_id, merged_user_id } = merge
  const image = Image.parse(merge.image)
  if (image.login_moved) {
    await moveLogin(db, kept_user_id, merged_user_id, now)
    await endElsewhere(desk, kept_user_id)
  }
  await removeOwn(desk, kept_user_id, image.taken_binds)
  await restoreRoles(desk, { kept_user_id, merged_user_id }, image.roles)
  await userOn(desk, image.off)
  await restoreActing(desk, image.acting)
  await restoreBinds(db, school_id, image.binds)
  for (const user_id of [kept_user_id, merged_user_id]) await endSessions(desk, user_id)
  await own.updateTable('account_merge').set({ undone_at: now }).where('school_id', '=', school_id).where('merge_no', '=', merge_no).execute()
  return { kept_user_id, merged_user_id }
}

async function requirePair({ db, school_id }: UserStateDesk, { kept_user_id, merged_user_id }: Pair): Promise<void> {
  const here = await asIdentity(db)
    .selectFrom('school_user as u')
    .innerJoin('account as a', 'a.user_id', 'u.user_id')
    .select(['u.user_id', 'a.super_slot'])
    .where('u.school_id', '=', school_id)
    .where('u.left_at', 'is', null)
    .where('u.user_id', 'in', [kept_user_id, merged_user_id])
    .execute()
  if (here.length !== 2) throw fail(identityErrors.memberUnknown)
  if (here.some(person => person.super_slot !== null)) throw fail(identityErrors.superAccount)
}

/** What is bound to the merged one goes to the kept one, unless he has bound that provider himself. */
async function moveBinds({ db, school_id }: UserStateDesk, { kept_user_id, merged_user_id }: Pair) {
  const binds = await removeBindsOf(db, school_id, [merged_user_id])
  await restoreBinds(db, school_id, binds.map(bind => ({ ...bind, user_id: kept_user_id })))
  const { rows } = await sql<{ provider: string; external_id: string }>`select provider, external_id from external_bind where school_id = ${school_id} and user_id = ${kept_user_id}`.execute(db)
  const taken = new Set(rows.map(row => `${row.provider}\n${row.external_id}`))
  return { binds, taken_binds: binds.filter(bind => taken.has(`${bind.provider}\n${bind.external_id}`)) }
}

async function removeOwn({ db, school_id }: UserStateDesk, user_id: string, binds: readonly z.output<typeof Bind>[]): Promise<void> {
  for (const { provider, external_id } of binds) {
    await asIdentity(db).deleteFrom('external_bind').where('school_id', '=', school_id).where('provider', '=', provider).where('external_id', '=', external_id).where('user_id', '=', user_id).execute()
  }
}

async function endSessions({ app, db, school_id, now }: UserStateDesk, user_id: string): Promise<void> {
  const own = asIdentity(db)
  await revokeSessions(own, { app, school_id, user_id, reason: 'role_ended', now }, undefined)
  await revokeRemembered(own, user_id, now)
}

async function tellMoved(desk: UserStateDesk, { kept_user_id, merged_user_id }: Pair, { ended }: ReturnType<typeof planMerge>, written: readonly string[]): Promise<void> {
  const rows = await asIdentity(desk.db).selectFrom('role_member').select(['role_no', 'role_id', 'user_id']).where('school_id', '=', desk.school_id).where('user_id', 'in', [kept_user_id, merged_user_id]).execute()
  const over = rows.filter(row => ended.includes(row.role_no))
  const begun = rows.filter(row => row.user_id === kept_user_id && written.includes(row.role_no))
  if (over.length > 0) await publish(desk, identityEvents.memberEnded, { members: over })
  if (begun.length > 0) await publish(desk, identityEvents.memberStarted, { members: begun })
}
