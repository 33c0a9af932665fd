import { mergeAppRoles } from '@campus/identity/contract'
import type { AppKind, AppMenu } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import { asIdentity } from '../db.ts'
import { offeredModules } from './licensed-modules.ts'
import { isOfKind, namedUsers, reachedBy } from './reach.ts'
import type { Where } from './reach.ts'

/** A person as the user of one app client. */
export type AppUser = { school_id: number; user_id: string; client_kind: AppKind; now: Date }

/**
 * What an app client shows a person now and what he may do there: the merger of all app roles that reach him. Modules the school no longer has
 * are left out.
 */
export async function appMenuOf(app: App, handle: QueryExecutorProvider, { school_id, user_id, client_kind, now }: AppUser): Promise<AppMenu> {
  const db = asIdentity(handle)
  const where: Where = { app, db, school_id, now }
  const reaching: string[] = []
  for (const role of await rolesOf(where, client_kind)) if (await reaches(where, role, client_kind, user_id)) reaching.push(role.role_id)
  const among = sql<boolean>`role_id = any(${reaching}::bigint[])`
  const modules = await db.selectFrom('role_module').select(['module_code', 'visible', 'order']).where('school_id', '=', school_id).where(among).execute()
  const codes = await db.selectFrom('role_permission').select('code').where('school_id', '=', school_id).where(among).execute()
  const menu = mergeAppRoles([{ modules, codes: codes.map(row => row.code).filter(code => app.codes.has(code)) }])
  const offered = await offeredModules(where, client_kind)
  return { ...menu, modules: menu.modules.filter(code => offered.includes(code)) }
}

type Bound = { role_id: string; is_for_all: boolean; dept_ids: string[]; role_group_ids: string[] }

async function rolesOf({ db, school_id }: Where, kind: AppKind): Promise<Bound[]> {
  const ids = (bind_kind: string): RawBuilder<string[]> => sql`coalesce((select array_agg(b.bind_id::text) from role_bind b where b.school_id = ${school_id} and b.role_id = r.role_id and b.bind_kind = ${bind_kind}), '{}')`
  const rows = await db
    .selectFrom('role as r')
    .select('r.role_id')
    .select([ids('all').as('all_ids'), ids('dept').as('dept_ids'), ids('role_group').as('role_group_ids')])
    .where('r.school_id', '=', school_id)
    .where('r.is_app', '=', true)
    .where('r.client_kind', '=', kind)
    .where('r.enabled', '=', true)
    .where('r.removed_at', 'is', null)
    .execute()
  return rows.map(({ all_ids, ...row }) => ({ ...row, is_for_all: all_ids.length > 0 }))
}

async function reaches(where: Where, { role_id, ...bound }: Bound, kind: AppKind, user_id: string): Promise<boolean> {
  const reached = await reachedBy(where, { kind, users: namedUsers(where.school_id, role_id, where.now), ...bound })
  const { rows } = await sql`
    select u.user_id from school_user u
    where u.school_id = ${where.school_id} and u.user_id = ${user_id} and ${isOfKind(where, kind)} and u.user_id in (select e.user_id from (${reached}) e)`.execute(where.db)
  return rows.length > 0
}
