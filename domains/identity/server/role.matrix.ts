import { identityEvents, platform_codes } from '@campus/identity/contract'
import type { MatrixModule, MatrixOp, roleApi } from '@campus/identity/contract'
import { buildMenu, readNavState, term } from '@campus/school/server'
import { menuGroups } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { z } from 'zod'
import { batches } from './db.ts'
import type { IdentityCtx } from './db.ts'
import { requireApart } from './duties-apart.ts'
import { forgetSchool } from './gate.ts'
import { tellRights } from './realtime.tell.ts'
import { changedCodes, namedCodes } from './permission-matrix.ts'
import type { ChangedCodes, CodeChange } from './permission-matrix.ts'
import { keepAdministered, lockOf, requireEditable, requireRole } from './role.access.ts'
import { keepPast } from './role.past.ts'
import { setRoleScope } from './role.queries.ts'
import { countHolders } from './role.read.ts'
import { requireHeld, rightsOf, viewScopes } from './role.rights.ts'
import type { Rights } from './role.rights.ts'
import { grantableKinds } from './scope-rank.ts'

type Op = z.output<typeof MatrixOp>
const not_held = '您没有该权限，不能授予'
const dimensions = ['dept', 'place'] as const

/** Everything the product lets a role do, what this one may, and what the caller may change of it. */
export async function readMatrix(ctx: IdentityCtx, { role_id }: Input<typeof roleApi.matrix>): Promise<Reply<typeof roleApi.matrix>> {
  const { db, school_id, me, app, now } = ctx
  const role = await requireRole(db, school_id, role_id)
  const rights = await rightsOf(db, school_id, role_id)
  const [scopes] = await viewScopes(app, db, school_id, [rights.scopes])
  if (!scopes) throw new Error('one scope was asked for')
  return {
    role_id,
    role_code: role.code,
    role_name: role.name,
    version: role.perm_version,
    modules: modulesOf(ctx, { offered: [...app.codes].filter(code => !platform_codes.has(code)), granted: rights.codes }, await schoolTypeOf(ctx)),
    scopes,
    scope_kinds: { dept: grantableKinds(me.scopes.dept.kind, 'dept'), place: grantableKinds(me.scopes.place.kind, 'place') },
    locked: lockOf(me, role)?.msg ?? null,
    affected: await countHolders(db, school_id, role_id, now),
  }
}

type Cells = { offered: Iterable<string>; granted: ReadonlySet<string> }

/** The cells of a matrix: every code on offer, whether it is given and whether the caller may give it. */
export function modulesOf({ app, me }: IdentityCtx, { offered, granted }: Cells, school_type: number): z.output<typeof MatrixModule>[] {
  const ops = namedCodes(offered).map(({ module, module_name, ...named }): { module: string; module_name: string; op: Op } => {
    const { code, noun, noun_name, verb, verb_name, column } = named
    const grantable = me.codes.has(code)
    const pages = app.facts.filter(fact => fact.need === code).map(fact => term(fact.title, school_type))
    return { module, module_name, op: { code, noun, noun_name, verb, verb_name, column, granted: granted.has(code), grantable, locked: grantable ? null : not_held, pages } }
  })
  return [...Map.groupBy(ops, ({ module }) => module)].map(([code, rows]) => ({ code, name: rows[0]?.module_name ?? code, ops: rows.map(row => row.op) }))
}

/**
 * Changes permissions and scopes of a role in one go: all of it or nothing (chapter 10 R7, R8). Whoever holds the role keeps his session and works
 * with the new rights within a second (R5).
 * @throws Refusal 400 for an unknown code or one that is both granted and revoked, 409 stale or lastAdmin, 422 ownRole, roleFixed, notHeld
 */
export async function saveMatrix(ctx: IdentityCtx, change: Input<typeof roleApi.saveMatrix>): Promise<Reply<typeof roleApi.saveMatrix>> {
  const { db, school_id, me } = ctx
  const { role_id, version, scopes } = change
  requireKnown(ctx, change)
  return keepAdministered(ctx, async () => {
    const role = await requireRole(db, school_id, role_id)
    requireEditable(me, role)
    if (role.perm_version !== version) throw fail(commonErrors.stale)
    const rights = await rightsOf(db, school_id, role_id)
    const codes = planOf(ctx, rights, change)
    await requireHeld(ctx, { codes: [...codes.granted, ...codes.revoked], scopes })
    await writeCodes(ctx, role_id, codes)
    await requireApart(ctx)
    for (const dimension of dimensions) {
      const scope = scopes[dimension]
      if (scope) await setRoleScope(db, school_id, role_id, dimension, scope.kind, scope.ids)
    }
    await db.updateTable('role').set({ perm_version: version + 1, updated_at: ctx.now, updated_by: me.user_id }).where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
    forgetSchool(ctx.app, school_id)
    await publish(ctx, identityEvents.roleChanged, { role_id })
    await tellRights(db, school_id, role_id)
    const before = { codes: codes.revoked, ...changedScopes(rights, scopes, rights.scopes) }
    const after = { codes: codes.granted, ...changedScopes(rights, scopes, scopes) }
    ctx.note({ target_kind: 'identity.role', target_id: role_id, target_name: role.name, before, after })
    return { version: version + 1, granted: codes.granted, revoked: codes.revoked }
  })
}

function requireKnown({ app }: IdentityCtx, { grant, revoke }: CodeChange): void {
  if ([...grant, ...revoke].some(code => !app.codes.has(code) || platform_codes.has(code))) throw fail(commonErrors.malformed)
}

function planOf({ app }: IdentityCtx, { codes }: Rights, change: CodeChange): ChangedCodes {
  const plan = changedCodes(codes, change, app.codes)
  if (!plan) throw fail(commonErrors.malformed)
  return plan
}

/** Stores what a change leaves of the permissions of a role. */
export async function writeCodes({ db, school_id, now }: IdentityCtx, role_id: string, { next, granted }: ChangedCodes): Promise<void> {
  const kept = [...next]
  const gone = db.deleteFrom('role_permission').where('school_id', '=', school_id).where('role_id', '=', role_id)
  await (kept.length > 0 ? gone.where('code', 'not in', kept) : gone).execute()
  for (const batch of batches(granted)) await db.insertInto('role_permission').values(batch.map(code => ({ school_id, role_id, code }))).execute()
  await keepPast(db, school_id, [role_id], now)
}

/** One side of the log, of the dimensions that were changed alone. */
function changedScopes({ scopes: had }: Rights, asked: Partial<Rights['scopes']>, side: Partial<Rights['scopes']>): Record<string, unknown> {
  const other = dimensions.filter(dimension => asked[dimension] && JSON.stringify(asked[dimension]) !== JSON.stringify(had[dimension]))
  return Object.fromEntries(other.map(dimension => [`${dimension}_scope`, side[dimension]]))
}

/** The sidebar and the codes of a role as they would be after a change that nobody has saved (chapter 10 B2). */
export async function previewRole(ctx: IdentityCtx, change: Input<typeof roleApi.preview>): Promise<Reply<typeof roleApi.preview>> {
  requireKnown(ctx, change)
  const { role_id } = await requireRole(ctx.db, ctx.school_id, change.role_id)
  const { next, granted, revoked } = planOf(ctx, await rightsOf(ctx.db, ctx.school_id, role_id), change)
  const menu = buildMenu(menuGroups, ctx.app.facts, { school_type: await schoolTypeOf(ctx), codes: next }, await readNavState(ctx.db, ctx.school_id, ctx.now))
  const drawn = menu.map(group => ({ ...group, children: group.children.filter(page => !page.hidden) })).filter(group => group.children.length > 0)
  return { menu: drawn, codes: [...next].toSorted(), granted, revoked }
}

/** 1 school, 2 enterprise. */
async function schoolTypeOf({ db, school_id }: IdentityCtx): Promise<number> {
  const school = await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirst()
  return school?.school_type ?? 1
}
