import { identityEvents } from '@campus/identity/contract'
import type { appRoleApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { IdentityCtx } from '../db.ts'
import { changedCodes } from '../permission-matrix.ts'
import { modulesOf, writeCodes } from '../role.matrix.ts'
import { requireHeld, rightsOf } from '../role.rights.ts'
import { appCodes } from './app-code.ts'
import { requireAppRole, schoolTypeOf } from './app-role.access.ts'
import { countReach } from './reach.read.ts'

/** What a role of this client may do at all, what it may now, and what the caller may change of it. @throws Refusal 404 */
export async function readAppMatrix(ctx: IdentityCtx, { id }: Input<typeof appRoleApi.matrix>): Promise<Reply<typeof appRoleApi.matrix>> {
  const { db, school_id, app } = ctx
  const role = await requireAppRole(db, school_id, id)
  const { codes } = await rightsOf(db, school_id, id)
  const modules = modulesOf(ctx, { offered: appCodes(role.client_kind, app), granted: codes }, await schoolTypeOf(db, school_id))
  return { role_id: id, role_name: role.name, version: role.perm_version, modules, reached: await countReach(ctx, role) }
}

/**
 * Changes what a role may do, all of it or nothing (chapter 10 R7, R8).
 * @throws Refusal 400 for a code that is not this client's, 404, 409 stale, 422 notHeld
 */
export async function saveAppMatrix(ctx: IdentityCtx, change: Input<typeof appRoleApi.saveMatrix>): Promise<Reply<typeof appRoleApi.saveMatrix>> {
  const { db, school_id, me, app, now } = ctx
  const { role_id, version } = change
  await db.selectFrom('role').select('role_id').where('school_id', '=', school_id).where('role_id', '=', role_id).forNoKeyUpdate().execute()
  const role = await requireAppRole(db, school_id, role_id)
  const known = appCodes(role.client_kind, app)
  if ([...change.grant, ...change.revoke].some(code => !known.has(code))) throw fail(commonErrors.malformed)
  if (role.perm_version !== version) throw fail(commonErrors.stale)
  const { codes } = await rightsOf(db, school_id, role_id)
  const plan = changedCodes(codes, change, known)
  if (!plan) throw fail(commonErrors.malformed)
  await requireHeld(ctx, { codes: [...plan.granted, ...plan.revoked], scopes: {} })
  await writeCodes(ctx, role_id, plan)
  await db.updateTable('role').set({ perm_version: version + 1, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
  await publish(ctx, identityEvents.roleChanged, { role_id })
  ctx.note({ target_kind: 'identity.app_role', target_id: role_id, target_name: role.name, before: { codes: plan.revoked }, after: { codes: plan.granted } })
  return { version: version + 1, granted: plan.granted, revoked: plan.revoked }
}
