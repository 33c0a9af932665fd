import { identityErrors } from '@campus/identity/contract'
import type { appRoleApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure, Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { IdentityCtx } from '../db.ts'
import { directory } from '../directory.ts'
import { changeAppRole } from './app-role.access.ts'
import type { FoundAppRole } from './app-role.access.ts'
import { once, requireGivable, shortened, toldOf } from './bind.outcome.ts'

type Told = Reply<typeof appRoleApi.bindDept>
type Kind = 'dept' | 'role_group'
type Which = { role_id: string; row_version?: number | undefined }
/** A thing that may be bound, or why it may not. */
type Verdict = { name: string | null; fault: Failure | null }

/** Departments with everything below them. @throws Refusal 404, 409 stale, 422 notHeld, and the first reason when none could be bound */
export function bindDepts(ctx: IdentityCtx, { dept_ids, ...which }: Input<typeof appRoleApi.bindDept>): Promise<Told> {
  return bind(ctx, which, 'dept', once(dept_ids), ids => judgeDepts(ctx, ids))
}

/** Whoever holds a role of a group now. @throws Refusal 404, 409 stale, 422 notHeld, appReachWide, and the first reason when none could be bound */
export function bindRoleGroups(ctx: IdentityCtx, { role_group_ids, ...which }: Input<typeof appRoleApi.bindRoleGroup>): Promise<Told> {
  return bind(ctx, which, 'role_group', once(role_group_ids), (ids, role) => judgeGroups(ctx, ids, role))
}

/** @throws Refusal 404, 409 stale */
export function unbindDepts(ctx: IdentityCtx, { dept_ids, ...which }: Input<typeof appRoleApi.unbindDept>): Promise<Told> {
  return unbind(ctx, which, 'dept', once(dept_ids))
}

/** @throws Refusal 404, 409 stale */
export function unbindRoleGroups(ctx: IdentityCtx, { role_group_ids, ...which }: Input<typeof appRoleApi.unbindRoleGroup>): Promise<Told> {
  return unbind(ctx, which, 'role_group', once(role_group_ids))
}

/** Lets a role reach everybody of its kind, or no longer. @throws Refusal 404, 409 stale, 422 notHeld, appReachWide */
export async function bindAll(ctx: IdentityCtx, { is_for_all, ...which }: Input<typeof appRoleApi.bindAll>): Promise<{ row_version: number }> {
  const { db, school_id } = ctx
  return changeAppRole(ctx, which, async role => {
    if (is_for_all) {
      requireWhole(ctx)
      await requireGivable(ctx, role.role_id)
      await insert(ctx, role.role_id, 'all', ['0'])
    } else await db.deleteFrom('role_bind').where('school_id', '=', school_id).where('role_id', '=', role.role_id).where('bind_kind', '=', 'all').execute()
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, after: { is_for_all } })
    return {}
  })
}

async function bind(ctx: IdentityCtx, which: Which, kind: Kind, ids: string[], judge: (ids: string[], role: FoundAppRole) => Promise<ReadonlyMap<string, Verdict>>): Promise<Told> {
  return changeAppRole(ctx, which, async role => {
    await requireGivable(ctx, role.role_id)
    const verdicts = await judge(ids, role)
    const fresh = new Set(await insert(ctx, role.role_id, kind, ids.filter(id => verdicts.get(id)?.fault === null)))
    const told = toldOf(ids.map(id => {
      const { name, fault } = verdicts.get(id) ?? { name: null, fault: commonErrors.notFound }
      return { id, name, fault: fault ?? (fresh.has(id) ? null : identityErrors.appBound) }
    }))
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, after: { [kind]: shortened(told.list.flatMap(one => (one.error === null ? (one.name ?? one.id) : []))) } })
    return told
  })
}

async function insert({ db, school_id, me, now }: IdentityCtx, role_id: string, bind_kind: Kind | 'all', ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = ids.map(bind_id => ({ school_id, role_id, bind_kind, bind_id, created_at: now, created_by: me.user_id }))
  const made = await db.insertInto('role_bind').values(rows).onConflict(oc => oc.doNothing()).returning('bind_id').execute()
  return made.map(row => row.bind_id)
}

async function unbind(ctx: IdentityCtx, which: Which, kind: Kind, ids: string[]): Promise<Told> {
  const { db, school_id } = ctx
  return changeAppRole(ctx, which, async role => {
    const rows = await db
      .deleteFrom('role_bind')
      .where('school_id', '=', school_id)
      .where('role_id', '=', role.role_id)
      .where('bind_kind', '=', kind)
      .where(sql<boolean>`bind_id = any(${ids}::bigint[])`)
      .returning('bind_id')
      .execute()
    const gone = new Set(rows.map(row => row.bind_id))
    const told = toldOf(ids.map(id => ({ id, name: null, fault: gone.has(id) ? null : identityErrors.appUnbound })))
    ctx.note({ target_kind: 'identity.app_role', target_id: role.role_id, target_name: role.name, before: { [kind]: shortened([...gone]) } })
    return told
  })
}

async function judgeDepts(ctx: IdentityCtx, ids: readonly string[]): Promise<ReadonlyMap<string, Verdict>> {
  const known = directory.one(ctx.app)
  const names = await known.labels(ctx.db, ctx.school_id, ids)
  const { depts } = await known.covers(ctx)
  return new Map(ids.map(id => {
    const name = names.get(id) ?? null
    return [id, { name, fault: name === null || (depts !== 'all' && !depts.has(id)) ? identityErrors.memberDept : null }]
  }))
}

/** Groups of the console for staff, those of pupils and parents for theirs; a group of app roles has nobody of its own. */
async function judgeGroups(ctx: IdentityCtx, ids: readonly string[], { client_kind }: FoundAppRole): Promise<ReadonlyMap<string, Verdict>> {
  requireWhole(ctx)
  const groups = await ctx.db
    .selectFrom('role_group')
    .select(['role_group_id', 'name', 'client_kind'])
    .where('school_id', '=', ctx.school_id)
    .where('is_app', '=', false)
    .where(sql<boolean>`role_group_id = any(${[...ids]}::bigint[])`)
    .execute()
  const wanted = client_kind === 'teacher' ? 'web' : client_kind
  return new Map(groups.map(group => [group.role_group_id, { name: group.name, fault: group.client_kind === wanted ? null : identityErrors.appGroupRefused }]))
}

/** Whoever sees a part of the school alone names people and departments of that part. @throws Refusal 422 appReachWide */
function requireWhole({ me }: IdentityCtx): void {
  if (!me.is_super && me.scopes.dept.kind !== 'all') throw fail(identityErrors.appReachWide)
}
