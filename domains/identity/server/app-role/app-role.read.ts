import type { appRoleApi, AppRoleRow } from '@campus/identity/contract'
import { isAppModule } from '@campus/identity/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { IdentityCtx, IdentityHandle } from '../db.ts'
import { directory } from '../directory.ts'
import { kindOf, requireAppRole, requireKind } from './app-role.access.ts'
import { offeredModules } from './licensed-modules.ts'

type Asked = { client_kind?: string; role_id?: string; keyword?: string | undefined }

/** App roles of a kind in the order of their groups, those the school began with first. @throws Refusal 404 for a kind the school does not have */
export async function listAppRoles(ctx: IdentityCtx, query: Input<typeof appRoleApi.list>): Promise<Reply<typeof appRoleApi.list>> {
  await requireKind(ctx, query.client_kind)
  return { list: await findAppRoles(ctx, query) }
}

/** One role with its bindings in words and the modules it may show. @throws Refusal 404 */
export async function viewAppRole(ctx: IdentityCtx, { id }: Input<typeof appRoleApi.one>): Promise<Reply<typeof appRoleApi.one>> {
  const { db, school_id } = ctx
  const { client_kind } = await requireAppRole(db, school_id, id)
  const [row] = await findAppRoles(ctx, { role_id: id })
  if (!row) throw new Error('a role that was there is listed')
  const binds = await bindsOf(db, school_id, id)
  const names = await directory.one(ctx.app).labels(db, school_id, binds.dept_ids)
  const groups = await db.selectFrom('role_group').select(['role_group_id', 'name']).where('school_id', '=', school_id).where(sql<boolean>`role_group_id = any(${binds.role_group_ids}::bigint[])`).orderBy('order').execute()
  return {
    ...row,
    offered: await offeredModules(ctx, client_kind),
    depts: binds.dept_ids.map(dept_id => ({ id: dept_id, name: names.get(dept_id) ?? '已停用的部门' })),
    role_groups: groups.map(group => ({ id: group.role_group_id, name: group.name })),
  }
}

/** What a role is bound to, besides people. */
export type Binds = { is_for_all: boolean; dept_ids: string[]; role_group_ids: string[] }

/** The bindings of a role. */
export async function bindsOf(db: IdentityHandle, school_id: number, role_id: string): Promise<Binds> {
  const rows = await db.selectFrom('role_bind').select(['bind_kind', 'bind_id']).where('school_id', '=', school_id).where('role_id', '=', role_id).orderBy('bind_id').execute()
  const of = (kind: string) => rows.filter(row => row.bind_kind === kind).map(row => row.bind_id)
  return { is_for_all: of('all').length > 0, dept_ids: of('dept'), role_group_ids: of('role_group') }
}

async function findAppRoles({ db, school_id, now }: IdentityCtx, { client_kind, role_id, keyword }: Asked): Promise<AppRoleRow[]> {
  const bound = (kind: string) => sql<number>`(select count(*)::int from role_bind b where b.school_id = ${school_id} and b.role_id = r.role_id and b.bind_kind = ${kind})`
  const rows = await db
    .selectFrom('role as r')
    .innerJoin('role_group as g', join => join.onRef('g.school_id', '=', 'r.school_id').onRef('g.role_group_id', '=', 'r.role_group_id'))
    .where('r.school_id', '=', school_id)
    .where('r.is_app', '=', true)
    .where('r.removed_at', 'is', null)
    .$if(client_kind !== undefined, query => query.where('r.client_kind', '=', client_kind ?? ''))
    .$if(role_id !== undefined, query => query.where('r.role_id', '=', role_id ?? ''))
    .$if(Boolean(keyword), query => query.where(sql<boolean>`(${nameHas(nameKeyOf('r.name'), keyword ?? '')} or ${nameHas(nameKeyOf('g.name'), keyword ?? '')})`))
    .select(['r.role_id', 'r.code', 'r.name', 'r.role_group_id', 'g.name as group_name', 'r.client_kind', 'r.is_system', 'r.enabled', 'r.row_version'])
    .select([bound('all').as('all_count'), bound('dept').as('dept_count'), bound('role_group').as('group_count')])
    .select([
      sql<number>`(select count(*)::int from role_permission p where p.school_id = ${school_id} and p.role_id = r.role_id)`.as('permission_count'),
      sql<number>`(select count(distinct m.user_id)::int from role_member m where m.school_id = ${school_id} and m.role_id = r.role_id
        and m.valid_from <= ${now} and (m.valid_to is null or m.valid_to > ${now}))`.as('user_count'),
    ])
    .select(eb => jsonArrayFrom(
      eb.selectFrom('role_module as d').select(['d.module_code', 'd.visible', 'd.order']).where('d.school_id', '=', school_id).whereRef('d.role_id', '=', 'r.role_id').orderBy('d.order').orderBy('d.module_code'),
    ).as('shown'))
    .orderBy('g.order')
    .orderBy('g.role_group_id')
    .orderBy('r.is_system', 'desc')
    .orderBy('r.role_id')
    .execute()
  return rows.map(({ shown, all_count, ...row }) => {
    const modules = shown.flatMap(({ module_code, ...place }) => (isAppModule(module_code) ? [{ module_code, ...place }] : []))
    return { ...row, client_kind: kindOf(row.client_kind), is_for_all: all_count > 0, modules }
  })
}
