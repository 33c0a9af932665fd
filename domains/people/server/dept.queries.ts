import { sql } from 'kysely'
import { oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import type { DeptRow, MemberCount } from './dept.tree.ts'
import { inScope } from './scope.ts'
import type { DeptScope, Tree } from './scope.ts'

/** All departments of a tree on a day, in display order. */
export async function deptsOn(db: Db, school_id: number, tree: Tree, on: string): Promise<DeptRow[]> {
  return db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['v.dept_id as id', 'v.parent_id', 'v.dept_name', 'v.grade', 'd.dept_type', 'd.enrol_year', 'v.node_path', 'v.pt_node_path_name', 'd.capacity'])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('d.tree', 'in', [tree, 'both'])
    .where(validOn('v', on))
    .where(eb => eb.or([eb('d.closed_on', 'is', null), eb('d.closed_on', '>', on)]))
    .orderBy('v.show_order')
    .orderBy('v.dept_id')
    .execute()
}

/**
 * People below every department on a day, each once: one aggregate over the members, whose department's path names all
 * departments above it. Only members inside the scope count, so a parent shows no more than its visible children.
 */
export async function memberCounts(db: Db, school_id: number, on: string, scope: DeptScope): Promise<MemberCount[]> {
  const { rows } = await sql<MemberCount>`
    select a.dept_id, count(distinct t.user_id)::int as student_count, count(distinct f.user_id)::int as staff_count
    from dept_member m
    join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id and ${validOn('v', on)}
    left join student_span t on t.school_id = m.school_id and t.user_id = m.user_id and m.member_kind = 'student' and t.state = '01' and ${validOn('t', on)}
    left join staff_span f on f.school_id = m.school_id and f.user_id = m.user_id and m.member_kind = 'staff' and ${validOn('f', on)}
    cross join lateral unnest(string_to_array(trim(both '/' from v.node_path), '/')::bigint[]) as a(dept_id)
    where m.school_id = ${school_id} and v.school_id = ${school_id} and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
    group by a.dept_id`.execute(db)
  return rows
}

/** Path of a department on a day; undefined when it did not exist then. */
export async function pathOn(db: Db, school_id: number, dept_id: string, on: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('dept_version as v')
    .select('v.node_path')
    .where('v.school_id', '=', school_id)
    .where('v.dept_id', '=', dept_id)
    .where(validOn('v', on))
    .executeTakeFirst()
  return found?.node_path
}

/** What labels are printed from, for these departments on a day. */
export function labelVersions(db: Db, school_id: number, dept_ids: readonly string[], on: string) {
  return db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['v.dept_id', 'd.dept_type', 'v.dept_name', 'v.grade', 'd.enrol_year', 'v.pt_node_path_name', 'd.closed_on'])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where(oneOf('v.dept_id', dept_ids))
    .where(validOn('v', on))
    .execute()
}

/** The school's way of printing departments, 1–4. */
export async function nameFormat(db: Db, school_id: number): Promise<number> {
  const found = await db.selectFrom('school_config_v').select('dept_name_format').where('school_id', '=', school_id).executeTakeFirst()
  return found?.dept_name_format ?? 1
}
