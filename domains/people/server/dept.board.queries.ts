import { sql } from 'kysely'
import { oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { inScope } from './scope.ts'
import type { DeptScope, Tree } from './scope.ts'

/** How many pupils a class has on a day: in class, of them by sex and in a bed of the school, and kept on the roll outside class. */
export type ClassCount = { dept_id: string; student_count: number; boys: number; girls: number; boarders: number; kept: number }

/** All departments of the pupils' tree on a day with what the board shows of them, in display order. */
export function boardDepts(db: Db, school_id: number, on: string) {
  return db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['v.dept_id as id', 'v.parent_id', 'v.dept_name', 'd.dept_type', 'v.node_path', 'v.pt_node_path_name', 'v.grade'])
    .select(['d.row_version', 'd.stage', 'd.enrol_year', 'd.class_no', 'd.capacity', 'd.closed_on'])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('d.tree', 'in', ['student', 'both'])
    .where(validOn('v', on))
    .where(eb => eb.or([eb('d.closed_on', 'is', null), eb('d.closed_on', '>', on)]))
    .orderBy('v.show_order')
    .orderBy('v.dept_id')
    .execute()
}
export type BoardDept = Awaited<ReturnType<typeof boardDepts>>[number]

/** Pupils of every class in the scope on a day, in one aggregate. */
export async function classCounts(db: Db, school_id: number, on: string, scope: DeptScope): Promise<ClassCount[]> {
  const { rows } = await sql<ClassCount>`
    select m.dept_id, count(*) filter (where t.state = '01')::int as student_count,
      count(*) filter (where t.state = '01' and p.sex = '1')::int as boys,
      count(*) filter (where t.state = '01' and p.sex = '2')::int as girls,
      count(*) filter (where t.state = '01' and s.study_method = '2')::int as boarders,
      count(*) filter (where t.state <> '01')::int as kept
    from dept_member m
    join student_span t on t.school_id = m.school_id and t.user_id = m.user_id and ${validOn('t', on)}
    join student s on s.school_id = m.school_id and s.user_id = m.user_id
    join person p on p.school_id = m.school_id and p.user_id = m.user_id
    where m.school_id = ${school_id} and t.school_id = ${school_id} and s.school_id = ${school_id} and p.school_id = ${school_id}
      and m.member_kind = 'student' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
    group by m.dept_id`.execute(db)
  return rows
}

/** Who leads these departments on a day: heads first, then in the order they began. */
export function leadersOn(db: Db, school_id: number, dept_ids: readonly string[], on: string) {
  return db
    .selectFrom('dept_duty as y')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'y.school_id').onRef('p.user_id', '=', 'y.user_id'))
    .select(['y.dept_id', 'y.duty', 'y.user_id', 'p.user_name'])
    .where('y.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where(oneOf('y.dept_id', dept_ids))
    .where('y.duty', 'in', ['head', 'grade_head', 'dept_leader', 'vice_head'])
    .where(validOn('y', on))
    .orderBy('y.valid_from')
    .orderBy('y.id')
    .execute()
}

/** Days on which a department of the scope opens, closes, or gets another name, parent or grade, with how many do. */
export async function changeDays(db: Db, school_id: number, tree: Tree, scope: DeptScope): Promise<{ day: string; changes: number }[]> {
  const { rows } = await sql<{ day: string; changes: number }>`
    with version as (
      select v.valid_from, row(v.parent_id, v.dept_name, v.grade) as facts,
        lag(row(v.parent_id, v.dept_name, v.grade)) over (partition by v.dept_id order by v.valid_from) as earlier
      from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id
      where v.school_id = ${school_id} and d.school_id = ${school_id} and d.tree in (${tree}, 'both') and ${inScope('v.dept_id', scope)}
    ), change as (
      select valid_from as day from version where earlier is distinct from facts
      union all
      select d.closed_on from dept d
      where d.school_id = ${school_id} and d.tree in (${tree}, 'both') and d.closed_on is not null and ${inScope('d.id', scope)}
    )
    select day, count(*)::int as changes from change group by day order by day`.execute(db)
  return rows
}
