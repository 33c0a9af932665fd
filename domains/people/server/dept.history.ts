import { sql } from 'kysely'
import { insertRows } from './bulk.ts'
import { oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'

/** What a department is called from a day on, and its place among its brothers. */
export type DeptRenewal = { dept_id: string; dept_name: string; grade: string | null; show_order: number }

type Version = Awaited<ReturnType<typeof versionsOn>>[number]

/**
 * Gives departments another name and grade from the day `on`, as a promotion does: nobody moves, and what stands below them gets its
 * path anew. Departments whose names others take over must have their own new name in the same call, or be closed before.
 */
export async function renewDepts(db: Db, school_id: number, on: string, renewals: readonly DeptRenewal[]): Promise<void> {
  const versions = await versionsOn(db, school_id, on)
  const renewed = new Map(renewals.map(renewal => [renewal.dept_id, renewal]))
  const names = new Map(versions.map(version => [version.dept_id, renewed.get(version.dept_id)?.dept_name ?? version.dept_name]))
  const touched = versions.filter(version => idsOf(version).some(id => renewed.has(id)))
  await endVersions(db, school_id, on, touched.map(version => version.dept_id))
  await insertRows(db, 'dept_version', touched.map(version => {
    const { dept_name, grade, show_order } = renewed.get(version.dept_id) ?? version
    const pt_node_path_name = idsOf(version).map(id => names.get(id) ?? '').join('/')
    const { dept_id, parent_id, node_path } = version
    return { school_id, dept_id, valid_from: on, parent_id, dept_name, grade, show_order, node_path, pt_node_path_name }
  }))
}

/** Closes departments: from the day `on` they are gone, with everything they were called before. Nobody may be in them then. */
export async function closeDepts(db: Db, school_id: number, on: string, dept_ids: readonly string[]): Promise<void> {
  await endVersions(db, school_id, on, dept_ids)
  await db.updateTable('dept').set({ closed_on: on }).where('school_id', '=', school_id).where(oneOf('id', dept_ids)).execute()
}

function versionsOn(db: Db, school_id: number, on: string) {
  return db
    .selectFrom('dept_version as v')
    .select(['v.dept_id', 'v.parent_id', 'v.dept_name', 'v.grade', 'v.show_order', 'v.node_path'])
    .where('v.school_id', '=', school_id)
    .where(validOn('v', on))
    .orderBy('v.node_path')
    .execute()
}

async function endVersions(db: Db, school_id: number, on: string, dept_ids: readonly string[]): Promise<void> {
  await db
    .updateTable('dept_version')
    .set({ valid_to: on })
    .where('school_id', '=', school_id)
    .where(oneOf('dept_id', dept_ids))
    .where(sql<boolean>`valid_to is null`)
    .execute()
}

/** The department and everything above it, from the school down. */
function idsOf({ node_path }: Pick<Version, 'node_path'>): string[] {
  return node_path.split('/').filter(id => id !== '')
}
