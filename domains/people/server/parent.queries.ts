import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, isIn, oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'
import type { PageOf } from './student.queries.ts'

/** Which parents: those linked on the day to a pupil on the roll inside the scope who passes every given filter. */
export type ParentFilter = {
  school_id: number
  on: string
  scope: DeptScope
  dept_id?: string
  path?: string
  is_guardian?: boolean
  keyword?: RawBuilder<boolean>
}

/** The links of the filter: single tables, asked one inside the other, so that a badly known table cannot make a bad join. */
function links(db: Db, { school_id, on, scope, dept_id, path, is_guardian }: ParentFilter) {
  const on_roll = sql`select t.user_id from student_span t where t.school_id = ${school_id} and ${validOn('t', on)}`
  const classes = sql`select v.dept_id from dept_version v where v.school_id = ${school_id} and ${validOn('v', on)} and ${beginsWith('v.node_path', path ?? '/')}`
  const by_class = path === undefined ? (dept_id === undefined ? sql`true` : sql`m.dept_id = ${dept_id}`) : isIn('m.dept_id', classes)
  const members = sql`
    select m.user_id from dept_member m
    where m.school_id = ${school_id} and m.member_kind = 'student' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)} and ${by_class}`
  const everywhere = scope === 'all' && path === undefined && dept_id === undefined
  return db
    .selectFrom('guardian_link as g')
    .where('g.school_id', '=', school_id)
    .where(validOn('g', on))
    .where(isIn('g.student_user_id', on_roll))
    .$if(!everywhere, query => query.where(isIn('g.student_user_id', members)))
    .$if(is_guardian !== undefined, query => query.where('g.is_guardian', '=', is_guardian ?? true))
}

function parents(db: Db, filter: ParentFilter) {
  const linked = links(db, filter).select('g.parent_user_id')
  return db
    .selectFrom('person as p')
    .where('p.school_id', '=', filter.school_id)
    .where('p.status', '=', 'live')
    .where(isIn('p.user_id', sql`${linked}`))
    .$if(filter.keyword !== undefined, all => all.where(filter.keyword ?? sql<boolean>`true`))
}

/** How many parents pass the filter; exact. */
export async function countParents(db: Db, filter: ParentFilter): Promise<number> {
  const { total } = await parents(db, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return total
}

/** One page of the parents that pass the filter, by name. */
export function pageParents(db: Db, filter: ParentFilter, { page_index, page_size }: PageOf) {
  return parents(db, filter)
    .select(['p.user_id', 'p.user_name', 'p.mobile', 'p.row_version', 'p.updated_at'])
    .orderBy('p.name_py')
    .orderBy('p.user_id')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
}

/** User ids of the parents that pass the filter, by name. */
export async function orderedParents(db: Db, filter: ParentFilter, limit: number): Promise<string[]> {
  const chosen = await parents(db, filter).select('p.user_id').orderBy('p.name_py').orderBy('p.user_id').limit(limit).execute()
  return chosen.map(row => row.user_id)
}

/** These parents in the order of the ids. */
export async function parentsOf(db: Db, school_id: number, user_ids: readonly string[]) {
  const found = await db
    .selectFrom('person as p')
    .select(['p.user_id', 'p.user_name', 'p.mobile', 'p.row_version', 'p.updated_at'])
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('p.user_id', user_ids))
    .execute()
  const rows = new Map(found.map(row => [row.user_id, row]))
  return user_ids.flatMap(user_id => rows.get(user_id) ?? [])
}

/** The children of these parents that the scope shows, on the roll on that day. */
export function childrenOf(db: Db, { school_id, on, scope }: ParentFilter, parent_user_ids: readonly string[]) {
  return links(db, { school_id, on, scope })
    .innerJoin('student as s', join => join.onRef('s.school_id', '=', 'g.school_id').onRef('s.user_id', '=', 'g.student_user_id'))
    .innerJoin('person as c', join => join.onRef('c.school_id', '=', 'g.school_id').onRef('c.user_id', '=', 'g.student_user_id'))
    .leftJoin('dept_member as m', join =>
      join.onRef('m.school_id', '=', 'g.school_id').onRef('m.user_id', '=', 'g.student_user_id').on('m.member_kind', '=', 'student').on(validOn('m', on)),
    )
    .select(['g.parent_user_id', 's.user_id', 'c.user_name', 's.student_no', 'm.dept_id', 'g.relation', 'g.is_guardian'])
    .where(oneOf('g.parent_user_id', parent_user_ids))
    .orderBy('s.student_no')
    .execute()
}
