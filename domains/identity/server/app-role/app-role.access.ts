import { identityEvents } from '@campus/identity/contract'
import type { AppKind } from '@campus/identity/contract'
import { app_kinds } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { IdentityCtx, IdentityHandle } from '../db.ts'

const enterprise = 2

/** 1 school, 2 enterprise. */
export async function schoolTypeOf(db: IdentityHandle, school_id: number): Promise<number> {
  const school = await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirst()
  return school?.school_type ?? 1
}

/** An enterprise has neither parents nor pupils. @throws Refusal 404 */
export async function requireKind({ db, school_id }: IdentityCtx, kind: AppKind): Promise<void> {
  if (kind !== 'teacher' && (await schoolTypeOf(db, school_id)) === enterprise) throw fail(commonErrors.notFound)
}

/** The kind a row names. */
export function kindOf(client_kind: string): AppKind {
  const kind = app_kinds.find(known => known === client_kind)
  if (!kind) throw new Error(`an app role is for no client ${client_kind}`)
  return kind
}

/** An app role of the school that has not been removed. @throws Refusal 404 */
export async function requireAppRole(db: IdentityHandle, school_id: number, role_id: string) {
  const role = await db
    .selectFrom('role')
    .select(['role_id', 'code', 'name', 'role_group_id', 'client_kind', 'is_system', 'enabled', 'perm_version', 'row_version'])
    .where('school_id', '=', school_id)
    .where('role_id', '=', role_id)
    .where('is_app', '=', true)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!role) throw fail(commonErrors.notFound)
  return { ...role, client_kind: kindOf(role.client_kind) }
}
export type FoundAppRole = Awaited<ReturnType<typeof requireAppRole>>

/** A group of app roles. @throws Refusal 404 */
export async function requireAppGroup(db: IdentityHandle, school_id: number, role_group_id: string) {
  const group = await db
    .selectFrom('role_group')
    .select(['role_group_id', 'code', 'name', 'client_kind', 'is_system', 'row_version'])
    .where('school_id', '=', school_id)
    .where('role_group_id', '=', role_group_id)
    .where('is_app', '=', true)
    .executeTakeFirst()
  if (!group) throw fail(commonErrors.notFound)
  return { ...group, client_kind: kindOf(group.client_kind) }
}

/** Which role a change is about, and the state it was made upon where that counts. */
type Which = { role_id: string; row_version?: number | undefined }

/**
 * Changes one app role, one after the other; the menus of those it reaches are made anew (chapter 10 §7).
 * @returns what the work answers, with the new version
 * @throws Refusal 404, 409 stale
 */
export async function changeAppRole<R>(ctx: IdentityCtx, { role_id, row_version }: Which, work: (role: FoundAppRole) => Promise<R>): Promise<R & { row_version: number }> {
  const { db, school_id, me, now } = ctx
  await db.selectFrom('role').select('role_id').where('school_id', '=', school_id).where('role_id', '=', role_id).forNoKeyUpdate().execute()
  const role = await requireAppRole(db, school_id, role_id)
  if (row_version !== undefined && row_version !== role.row_version) throw fail(commonErrors.stale)
  const result = await work(role)
  const next = role.row_version + 1
  await db.updateTable('role').set({ row_version: next, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
  await publish(ctx, identityEvents.roleChanged, { role_id })
  return { ...result, row_version: next }
}
