import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Insertable, QueryExecutorProvider } from 'kysely'
import type { Db, InsightDb } from './db.ts'

type NewLayout = Insertable<InsightDb['dashboard_layout']>
/** For whom a layout stands: the whole school, or one role. */
export type LayoutTarget = { route: number; target: number; target_id: string | null }

/** What is published on a board now, to the school and to roles. */
export function listLayouts(db: Db, school_id: number, route: number) {
  return db
    .selectFrom('dashboard_layout as l')
    .leftJoin('role_v as r', join => join.onRef('r.school_id', '=', 'l.school_id').onRef('r.role_id', '=', 'l.target_id'))
    .select(['l.layout_id', 'l.target', 'l.target_id', 'l.items', 'l.valid_from', 'l.created_by_name', 'r.name as role_name'])
    .where('l.school_id', '=', school_id)
    .where('l.route', '=', route)
    .where('l.valid_to', 'is', null)
    .orderBy('l.target')
    .orderBy('l.layout_id')
    .execute()
}

/** Ends what stands for a target; what began in this very instant was never seen and goes. */
export async function endLayout(db: Db, school_id: number, { route, target, target_id }: LayoutTarget, now: Date): Promise<void> {
  const of = [route, target, target_id ?? '0'] as const
  await db.deleteFrom('dashboard_layout').where('school_id', '=', school_id).where(sameTarget(of)).where('valid_from', '>=', now).execute()
  await db.updateTable('dashboard_layout').set({ valid_to: now }).where('school_id', '=', school_id).where(sameTarget(of)).where('valid_to', 'is', null).execute()
}

function sameTarget([route, target, target_id]: readonly [number, number, string]) {
  return sql<boolean>`route = ${route} and target = ${target} and coalesce(target_id, 0) = ${target_id}::bigint`
}

/** Writes a published layout; answers its id. */
export async function addLayout(db: Db, layout: NewLayout): Promise<string> {
  const { layout_id } = await db.insertInto('dashboard_layout').values(layout).returning('layout_id').executeTakeFirstOrThrow()
  return layout_id
}

/** Puts a layout in its place in the caller's transaction, for whom nothing stands yet. */
export async function standLayout(db: QueryExecutorProvider, layout: NewLayout): Promise<void> {
  await addLayout(asTables<InsightDb>(db), layout)
}

/** A role of the console that is in use. */
export function findRole(db: Db, school_id: number, role_id: string) {
  return db.selectFrom('role_v').select(['role_id', 'name']).where('school_id', '=', school_id).where('role_id', '=', role_id).where('enabled', '=', true).executeTakeFirst()
}

/** The roles of the console that are in use. */
export function listRoles(db: Db, school_id: number) {
  return db.selectFrom('role_v').select(['role_id', 'name']).where('school_id', '=', school_id).where('client_kind', '=', 'web').where('enabled', '=', true).orderBy('role_id').execute()
}
