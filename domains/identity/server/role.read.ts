import type { roleApi, RoleRow } from '@campus/identity/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import type { IdentityCtx, IdentityHandle } from './db.ts'
import { online_ms } from './member.facts.ts'
import { namedCodes } from './permission-matrix.ts'
import { requireRole } from './role.access.ts'
import { rightsOf, scopesOf, viewScopes } from './role.rights.ts'
import { requireGroup } from './role-group.queries.ts'
import { super_role } from './standing-code.ts'

/** Roles of the school in the order of their groups, the given ones first; `keyword` is part of name or code. @throws Refusal 404 for an unknown group */
export async function listRoles(ctx: IdentityCtx, query: Input<typeof roleApi.list>): Promise<Reply<typeof roleApi.list>> {
  const { db, school_id, me, now } = ctx
  if (query.role_group_id !== undefined) await requireGroup(db, school_id, query.role_group_id)
  const rows = await findRoles(db, school_id, query, now)
  const scopes = await viewScopes(ctx.app, db, school_id, rows.map(row => scopesOf(row.scope_rows)))
  const list = rows.flatMap(({ scope_rows: _rows, ...row }, at): z.output<typeof RoleRow>[] => {
    const found = scopes[at]
    return found ? [{ ...row, scopes: found, is_own: row.role_id === me.role_id, is_fixed: row.code === super_role }] : []
  })
  return { list }
}

function findRoles(db: IdentityHandle, school_id: number, { role_group_id, keyword }: Input<typeof roleApi.list>, now: Date) {
  const word = keyword?.trim()
  return db
    .selectFrom('role as r')
    .innerJoin('role_group as g', join => join.onRef('g.school_id', '=', 'r.school_id').onRef('g.role_group_id', '=', 'r.role_group_id'))
    .where('r.school_id', '=', school_id)
    .where('r.is_app', '=', false)
    .where('r.removed_at', 'is', null)
    .$if(role_group_id !== undefined, query => query.where('r.role_group_id', '=', role_group_id ?? ''))
    .$if(Boolean(word), query => query.where(sql<boolean>`(${nameHas(nameKeyOf('r.name'), word ?? '')} or strpos(lower(r.code), lower(${word ?? ''})) > 0)`))
    .select(['r.role_id', 'r.code', 'r.name', 'r.role_group_id', 'g.code as group_code', 'g.name as group_name', 'r.client_kind', 'r.is_system', 'r.enabled'])
    .select(['r.allow_login_web', 'r.allow_login_web_text', 'r.dept_is_exact', 'r.sync_type', 'r.perm_version', 'r.row_version'])
    .leftJoin(signedIn(db, school_id, now).as('o'), join => join.onRef('o.role_id', '=', 'r.role_id'))
    .select([holders(school_id, now).as('member_count'), sql<number>`coalesce(o.people, 0)`.as('online_count')])
    .select(eb => [
      sql<number>`(select count(*)::int from role_permission p where p.school_id = ${school_id} and p.role_id = r.role_id)`.as('permission_count'),
      jsonArrayFrom(
        eb
          .selectFrom('role_scope as c')
          .where('c.school_id', '=', school_id)
          .whereRef('c.role_id', '=', 'r.role_id')
          .select(['c.dimension', 'c.kind', sql<string[]>`c.ids::text[]`.as('ids')]),
      ).as('scope_rows'),
    ])
    .orderBy('g.order')
    .orderBy('g.role_group_id')
    .orderBy('r.is_system', 'desc')
    .orderBy('r.role_id')
    .execute()
}

/** People who hold the role `r` now. */
function holders(school_id: number, now: Date) {
  return sql<number>`(
    select count(distinct m.user_id)::int from role_member m
    where m.school_id = ${school_id} and m.role_id = r.role_id and m.valid_from <= ${now} and (m.valid_to is null or m.valid_to > ${now}))`
}

/** How many people are at work with each role: one walk over the sessions that nobody has ended. */
function signedIn(db: IdentityHandle, school_id: number, now: Date) {
  return db
    .selectFrom('session as s')
    .innerJoin('role_member as m', join => join.onRef('m.school_id', '=', 's.school_id').onRef('m.role_no', '=', 's.role_no'))
    .select(['m.role_id', sql<number>`count(distinct s.user_id)::int`.as('people')])
    .where('s.school_id', '=', school_id)
    .where('m.school_id', '=', school_id)
    .where('s.revoked_at', 'is', null)
    .where('s.seen_at', '>', new Date(now.getTime() - online_ms))
    .where('s.idle_until', '>', now)
    .where('s.absolute_until', '>', now)
    .groupBy('m.role_id')
}

/** How many people a change of the role reaches: who holds it now, and who of them is at work with it. */
export async function countHolders(db: IdentityHandle, school_id: number, role_id: string, now: Date): Promise<{ members: number; online: number }> {
  return db
    .selectFrom('role as r')
    .leftJoin(signedIn(db, school_id, now).as('o'), join => join.onRef('o.role_id', '=', 'r.role_id'))
    .select([holders(school_id, now).as('members'), sql<number>`coalesce(o.people, 0)`.as('online')])
    .where('r.school_id', '=', school_id)
    .where('r.role_id', '=', role_id)
    .executeTakeFirstOrThrow()
}

/** Two roles side by side: every code at least one of them has, and both scopes. */
export async function diffRoles(ctx: IdentityCtx, query: Input<typeof roleApi.diff>): Promise<Reply<typeof roleApi.diff>> {
  const { db, school_id, app } = ctx
  const [a, b] = [await requireRole(db, school_id, query.a), await requireRole(db, school_id, query.b)]
  const [of_a, of_b] = [await rightsOf(db, school_id, a.role_id), await rightsOf(db, school_id, b.role_id)]
  const [scopes_a, scopes_b] = await viewScopes(app, db, school_id, [of_a.scopes, of_b.scopes])
  if (!scopes_a || !scopes_b) throw new Error('two scopes were asked for')
  const either = new Set([...of_a.codes, ...of_b.codes].filter(code => app.codes.has(code)))
  const ops = namedCodes(either).map(({ code, module_name, noun_name, verb_name }) => {
    return { code, module_name, noun_name, verb_name, in_a: of_a.codes.has(code), in_b: of_b.codes.has(code) }
  })
  return { a: { role_id: a.role_id, code: a.code, name: a.name, scopes: scopes_a }, b: { role_id: b.role_id, code: b.code, name: b.name, scopes: scopes_b }, ops }
}
