import type { IdentityViews } from '@campus/identity/server'
import { sql } from 'kysely'
import { oneOf } from './dated.ts'
import type { Db } from './db.ts'
import type { Version } from './dept.timeline.ts'

/** The undated facts of these departments, as many of them as the school has. */
export async function deptsById(db: Db, school_id: number, ids: readonly string[]): Promise<Map<string, DeptFacts>> {
  const rows = await factsOf(db, school_id, ids)
  return new Map(rows.map(row => [row.id, row]))
}

function factsOf(db: Db, school_id: number, ids: readonly string[]) {
  return db
    .selectFrom('dept')
    .select(['id', 'dept_type', 'tree', 'stage', 'enrol_year', 'class_no', 'class_type', 'capacity', 'code', 'name_auto'])
    .select(['opened_on', 'closed_on', 'row_version', 'updated_at', 'updated_by'])
    .where('school_id', '=', school_id)
    .where(oneOf('id', ids))
    .execute()
}
export type DeptFacts = Awaited<ReturnType<typeof factsOf>>[number]

const version_columns = ['dept_id', 'valid_from', 'valid_to', 'parent_id', 'dept_name', 'grade', 'show_order', 'node_path', 'pt_node_path_name', 'command_id'] as const

/** The whole history of these departments, oldest first. */
export function versionsOf(db: Db, school_id: number, dept_ids: readonly string[]): Promise<Version[]> {
  return db
    .selectFrom('dept_version')
    .select([...version_columns])
    .where('school_id', '=', school_id)
    .where(oneOf('dept_id', dept_ids))
    .orderBy('valid_from')
    .execute()
}

/** What is and will be of a department and everything below it from a day on, oldest first. */
export function versionsBelow(db: Db, school_id: number, dept_id: string, from: string): Promise<Version[]> {
  return db
    .selectFrom('dept_version')
    .select([...version_columns])
    .where('school_id', '=', school_id)
    .where(isBelow(dept_id))
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)]))
    .orderBy('valid_from')
    .execute()
}

/** The condition that a version lies below the department, wherever that stood then, or is its own. */
export function isBelow(dept_id: string) {
  return sql<boolean>`strpos(node_path, ${`/${dept_id}/`}) > 0`
}

/** The highest place among the siblings of one tree that are or will be below the parent. */
export async function lastOrder(db: Db, school_id: number, parent_id: string, tree: string, from: string): Promise<number> {
  const { last } = await db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(sql<number>`coalesce(max(v.show_order), 0)`.as('last'))
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('v.parent_id', '=', parent_id)
    .where('d.tree', '=', tree)
    .where(eb => eb.or([eb('v.valid_to', 'is', null), eb('v.valid_to', '>', from)]))
    .executeTakeFirstOrThrow()
  return last
}

/** How many departments are open on a day or will be. */
export async function openCount(db: Db, school_id: number, on: string): Promise<number> {
  const { open } = await db
    .selectFrom('dept')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('school_id', '=', school_id)
    .where(eb => eb.or([eb('closed_on', 'is', null), eb('closed_on', '>', on)]))
    .executeTakeFirstOrThrow()
  return open
}

/** Which of these codes of dictionaries exist, as `type code`. */
export async function knownCodes(db: Db, school_id: number, types: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item']).where('school_id', '=', school_id).where('sc_code_type', 'in', [...types]).execute()
  return new Set(rows.map(row => `${row.sc_code_type} ${row.sc_code_item}`))
}

/** Names of people of the school, gone ones included. */
export async function namesOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (user_ids.length === 0) return new Map()
  const rows = await db.selectFrom('person_label').select(['user_id', 'display_name']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.display_name]))
}

/** Name of an account of the school, person of the archive or not; null when it has none. */
export async function accountName(db: Db, school_id: number, user_id: string | null): Promise<string | null> {
  if (user_id === null) return null
  const found = await db.withTables<IdentityViews>().selectFrom('school_user_v').select('user_name').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return found?.user_name ?? null
}
