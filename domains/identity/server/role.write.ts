import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { roleApi, RolePatch } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { batches } from './db.ts'
import type { IdentityCtx } from './db.ts'
import { forgetSchool } from './gate.ts'
import { tellRights } from './realtime.tell.ts'
import { keepAdministered, requireEditable, requireRole } from './role.access.ts'
import type { FoundRole } from './role.access.ts'
import { keepPast } from './role.past.ts'
import { requireHeld, rightsOf } from './role.rights.ts'
import { revokeRole } from './role.sessions.ts'
import { requireGroup } from './role-group.queries.ts'

type Saved = Reply<typeof roleApi.add>
type Changes = Omit<RolePatch, 'role_id' | 'row_version'>

/** Makes a role of the school's own; it may do nothing yet. */
export async function addRole(ctx: IdentityCtx, draft: Input<typeof roleApi.add>): Promise<Saved> {
  const { client_kind } = await requireGroup(ctx.db, ctx.school_id, draft.role_group_id)
  const saved = await insertRole(ctx, { ...draft, client_kind })
  ctx.note({ target_kind: 'identity.role', target_id: saved.role_id, target_name: draft.name, after: draft })
  return saved
}

/** Makes a role with the permissions and scopes of another, which the caller must hold himself. */
export async function copyRole(ctx: IdentityCtx, { role_id, name }: Input<typeof roleApi.copy>): Promise<Saved> {
  const { db, school_id } = ctx
  const role = await requireRole(db, school_id, role_id)
  const { codes, scopes } = await rightsOf(db, school_id, role_id)
  const known = [...codes].filter(code => ctx.app.codes.has(code))
  await requireHeld(ctx, { codes: known, scopes })
  const { role_group_id, client_kind, allow_login_web, allow_login_web_text, dept_is_exact } = role
  const saved = await insertRole(ctx, { name, role_group_id, client_kind, enabled: true, allow_login_web, allow_login_web_text, dept_is_exact })
  for (const batch of batches(known)) {
    await db.insertInto('role_permission').values(batch.map(code => ({ school_id, role_id: saved.role_id, code }))).execute()
  }
  await keepPast(db, school_id, [saved.role_id], ctx.now)
  const rows = (['dept', 'place'] as const).map(dimension => ({ school_id, role_id: saved.role_id, dimension, ...scopes[dimension] }))
  await db.insertInto('role_scope').values(rows).execute()
  ctx.note({ target_kind: 'identity.role', target_id: saved.role_id, target_name: name, after: { copy_of: role.name, codes: known.length } })
  return saved
}

type NewRow = { name: string; role_group_id: string; client_kind: string; is_app?: boolean; enabled: boolean; allow_login_web: number; allow_login_web_text: string | null; dept_is_exact: number }

/** Numbers up to here belong to roles that a school was made with. */
const first_number = 1000

/**
 * Makes a role; the code is the next `CUS_n`; the rows of the groups are locked, so that two at once get two.
 * @throws Refusal 409 nameTaken, roleNameElsewhere
 */
export async function insertRole({ db, school_id, me, now }: IdentityCtx, row: NewRow): Promise<Saved> {
  await lockGroups(db, school_id)
  if (row.is_app !== true) await requireOwnName(db, school_id, row)
  const { n } = await db
    .selectFrom('role')
    .select(sql<string>`greatest(max(substr(code, 5)::bigint), ${first_number}::bigint) + 1`.as('n'))
    .where('school_id', '=', school_id)
    .where('code', '~', '^CUS_[0-9]{1,9}$')
    .executeTakeFirstOrThrow()
  return db
    .insertInto('role')
    .values({ school_id, ...row, code: `CUS_${n}`, created_at: now, created_by: me.user_id, updated_at: now })
    .returning(['role_id', 'row_version'])
    .executeTakeFirstOrThrow()
}

async function lockGroups(db: IdentityCtx['db'], school_id: number): Promise<void> {
  await db.selectFrom('role_group').select('role_group_id').where('school_id', '=', school_id).orderBy('role_group_id').forNoKeyUpdate().execute()
}

/**
 * A name means one role of the console: the sheet of members, the log and the choice at the login say nothing else. Whoever asks holds the rows of the
 * groups; inside a group the constraint decides. Roles of the apps have names of their own.
 */
async function requireOwnName(db: IdentityCtx['db'], school_id: number, { name, role_group_id }: Pick<NewRow, 'name' | 'role_group_id'>, role_id?: string): Promise<void> {
  const other = await db
    .selectFrom('role as r')
    .innerJoin('role_group as g', join => join.onRef('g.school_id', '=', 'r.school_id').onRef('g.role_group_id', '=', 'r.role_group_id'))
    .select('g.name')
    .where('r.school_id', '=', school_id)
    .where('r.name', '=', name)
    .where('r.role_group_id', '<>', role_group_id)
    .where('r.role_id', '<>', role_id ?? '0')
    .where('r.is_app', '=', false)
    .where('r.removed_at', 'is', null)
    .executeTakeFirst()
  if (other) throw fail(identityErrors.roleNameElsewhere, { params: { group: other.name } })
}

/**
 * Changes the facts of a role. Switching it off ends the sessions under it.
 * @throws Refusal 422 for a role that may not be changed here, 409 stale, nameTaken, roleNameElsewhere, lastAdmin
 */
export async function editRole(ctx: IdentityCtx, { role_id, row_version, ...changes }: Input<typeof roleApi.edit>): Promise<Saved> {
  const { db, school_id, me, now } = ctx
  if (changes.name !== undefined) await lockGroups(db, school_id)
  return keepAdministered(ctx, async () => {
    const role = await requireRole(db, school_id, role_id)
    requireEditable(me, role)
    if (role.row_version !== row_version) throw fail(commonErrors.stale)
    const moved = await groupChange(ctx, role, changes.role_group_id)
    if (changes.name !== undefined && changes.name !== role.name) {
      await requireOwnName(db, school_id, { name: changes.name, role_group_id: changes.role_group_id ?? role.role_group_id }, role_id)
    }
    const saved = await db
      .updateTable('role')
      .set({ ...changes, ...moved, updated_at: now, updated_by: me.user_id, row_version: row_version + 1 })
      .where('school_id', '=', school_id)
      .where('role_id', '=', role_id)
      .returning(['role_id', 'row_version'])
      .executeTakeFirstOrThrow()
    const sessions = role.enabled && changes.enabled === false ? await revokeRole(ctx, role_id) : 0
    forgetSchool(ctx.app, school_id)
    await publish(ctx, identityEvents.roleChanged, { role_id })
    await tellRights(db, school_id, role_id)
    ctx.note({ target_kind: 'identity.role', target_id: role_id, target_name: role.name, ...changed(role, changes), ...(sessions > 0 ? { reason: `下线${sessions}个会话` } : {}) })
    return saved
  })
}

/** A role that moves takes the kind of its new group; those of the system stay where they are. */
async function groupChange(ctx: IdentityCtx, role: FoundRole, role_group_id: string | undefined): Promise<{ client_kind?: string }> {
  if (role_group_id === undefined || role_group_id === role.role_group_id) return {}
  if (role.is_system) throw fail(identityErrors.roleGroupKept)
  const { client_kind } = await requireGroup(ctx.db, ctx.school_id, role_group_id)
  return { client_kind }
}

/** Only what has another value than before. */
function changed(role: FoundRole, changes: Changes): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const had = new Map<string, unknown>(Object.entries(role))
  const other = Object.entries(changes).filter(([name, value]) => value !== undefined && had.get(name) !== value)
  return { before: Object.fromEntries(other.map(([name]) => [name, had.get(name)])), after: Object.fromEntries(other) }
}

/**
 * Removes a role of the school's own that nobody holds or will hold. The row stays for the memberships of the past; its name is free again.
 * @throws Refusal 409 roleInUse, 422 roleSystem
 */
export async function removeRole(ctx: IdentityCtx, { role_id }: Input<typeof roleApi.remove>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  return keepAdministered(ctx, async () => {
    const role = await requireRole(db, school_id, role_id)
    requireEditable(me, role)
    if (role.is_system) throw fail(identityErrors.roleSystem)
    const held = await db
      .selectFrom('role_member')
      .select('role_no')
      .where('school_id', '=', school_id)
      .where('role_id', '=', role_id)
      .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
      .limit(1)
      .executeTakeFirst()
    if (held) throw fail(identityErrors.roleInUse)
    await db.updateTable('role').set({ removed_at: now, enabled: false, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
    await db.deleteFrom('role_permission').where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
    await keepPast(db, school_id, [role_id], now)
    ctx.note({ target_kind: 'identity.role', target_id: role_id, target_name: role.name, before: { code: role.code, name: role.name } })
    return {}
  })
}
