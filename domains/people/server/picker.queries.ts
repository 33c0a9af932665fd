import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, isIn, oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

/** Which staff: those at work today who belong to a department of the scope and of the subtree, if one is given. */
export type StaffFilter = {
  school_id: number
  on: string
  scope: DeptScope
  /** path of the department whose subtree counts */
  path?: string
  /** only those of this very department */
  dept_id?: string
  ids?: readonly string[]
  keyword?: RawBuilder<boolean>
}

/** The first of the staff that pass the filter, by pinyin. `primary_dept_id` is null for those without a department. */
export function liveStaff(db: Db, filter: StaffFilter, limit: number) {
  return db
    .selectFrom('live_staff as s')
    .innerJoin('staff as f', join => join.onRef('f.school_id', '=', 's.school_id').onRef('f.user_id', '=', 's.user_id'))
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .select(['s.user_id', 's.user_name', 's.teacher_no as user_no', 's.primary_dept_id'])
    .where('s.school_id', '=', filter.school_id)
    .where('p.school_id', '=', filter.school_id)
    .where('f.school_id', '=', filter.school_id)
    .$if(filter.scope !== 'all' || filter.path !== undefined, query => query.where(isIn('s.user_id', membersOf(filter))))
    .$if(filter.ids !== undefined, query => query.where(oneOf('s.user_id', filter.ids ?? [])))
    .$if(filter.keyword !== undefined, query => query.where(filter.keyword ?? sql<boolean>`true`))
    .orderBy('p.name_py')
    .orderBy('s.teacher_no')
    .limit(limit)
    .execute()
}

function membersOf({ school_id, on, scope, path, dept_id }: StaffFilter): RawBuilder<unknown> {
  const below = sql`
    select v.dept_id from dept_version v
    where v.school_id = ${school_id} and ${validOn('v', on)} and ${beginsWith('v.node_path', path ?? '/')}`
  return sql`
    select m.user_id from dept_member m
    where m.school_id = ${school_id} and m.member_kind = 'staff' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
      and ${path === undefined ? sql`true` : isIn('m.dept_id', below)}
      and ${dept_id === undefined ? sql`true` : sql`m.dept_id = ${dept_id}`}`
}
