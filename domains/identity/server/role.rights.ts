import { identityErrors } from '@campus/identity/contract'
import type { RoleScope, ScopeView } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { IdentityHandle, IdentityStep } from './db.ts'
import { directory } from './directory.ts'
import { isOfAuditor } from './duties-apart.ts'
import type { Dimension, ScopeKind } from './role.queries.ts'
import { isWithin } from './scope-rank.ts'

export type Scopes = Record<Dimension, RoleScope>
/** What a role may do, and over which rows. */
export type Rights = { codes: ReadonlySet<string>; scopes: Scopes }
/** Rights that are about to be given to others. */
export type Given = { codes: readonly string[]; scopes: Partial<Scopes> }

const nothing: RoleScope = { kind: 'none', ids: [] }
const kinds: readonly ScopeKind[] = ['all', 'own', 'own_below', 'class_teacher', 'teaching', 'custom', 'self', 'none']

/** Permission codes and scopes of a role. */
export async function rightsOf(db: IdentityHandle, school_id: number, role_id: string): Promise<Rights> {
  const codes = await db.selectFrom('role_permission').select('code').where('school_id', '=', school_id).where('role_id', '=', role_id).execute()
  const scopes = await db
    .selectFrom('role_scope')
    .select(['dimension', 'kind', sql<string[]>`ids::text[]`.as('ids')])
    .where('school_id', '=', school_id)
    .where('role_id', '=', role_id)
    .execute()
  return { codes: new Set(codes.map(row => row.code)), scopes: scopesOf(scopes) }
}

/** Both scopes from their rows; without a row a role reaches nothing. */
export function scopesOf(rows: readonly { dimension: string; kind: string; ids: readonly string[] }[]): Scopes {
  const of = (dimension: Dimension): RoleScope => {
    const row = rows.find(one => one.dimension === dimension)
    const kind = kinds.find(known => known === row?.kind)
    return row && kind ? { kind, ids: [...row.ids] } : nothing
  }
  return { dept: of('dept'), place: of('place') }
}

/**
 * Nobody gives a permission or scope that he does not hold (chapter 10 R7).
 * @throws Refusal 422 notHeld; 404 for a department that the school does not have
 */
export async function requireHeld(step: IdentityStep, given: Given): Promise<void> {
  const fault = await heldFault(step, given)
  if (fault) throw fail(fault)
}

/** Why these rights may not be given to others: notHeld, or a department that the school does not have; null when they may. */
export async function heldFault(step: IdentityStep, { codes, scopes }: Given): Promise<Failure | null> {
  const { me, app } = step
  if (codes.some(code => app.codes.has(code) && !me.codes.has(code) && !isOfAuditor(app, code))) return identityErrors.notHeld
  for (const dimension of ['dept', 'place'] as const) {
    const scope = scopes[dimension]
    if (scope && !isWithin(me.scopes[dimension].kind, scope.kind)) return identityErrors.notHeld
  }
  const depts = scopes.dept?.kind === 'custom' ? await deptsFault(step, scopes.dept.ids) : null
  return depts ?? (scopes.place?.kind === 'custom' ? placesFault(step, scopes.place.ids) : null)
}

async function deptsFault(step: IdentityStep, ids: readonly string[]): Promise<Failure | null> {
  const known = directory.one(step.app)
  const below = new Set(await known.children(step.db, step.school_id, ids))
  if (ids.some(dept_id => !below.has(dept_id))) return commonErrors.notFound
  const { depts } = await known.covers(step)
  return depts !== 'all' && [...below].some(dept_id => !depts.has(dept_id)) ? identityErrors.notHeld : null
}

function placesFault({ me }: IdentityStep, ids: readonly string[]): Failure | null {
  const held = me.scopes.place
  return held.kind !== 'all' && ids.some(id => !held.ids.includes(id)) ? identityErrors.notHeld : null
}

/** Scopes for reading, with the names of the departments they list. */
export async function viewScopes(app: App, db: IdentityHandle, school_id: number, all: readonly Scopes[]): Promise<Record<Dimension, ScopeView>[]> {
  const ids = [...new Set(all.flatMap(scopes => scopes.dept.ids))]
  const names = ids.length > 0 ? await directory.one(app).labels(db, school_id, ids) : new Map<string, string>()
  return all.map(({ dept, place }) => ({
    dept: { ...dept, names: dept.ids.flatMap(dept_id => names.get(dept_id) ?? []) },
    place: { ...place, names: [] },
  }))
}
