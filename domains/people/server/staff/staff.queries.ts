import type { IdentityViews } from '@campus/identity/server'
import type { staff_sorts } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, isIn, oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { inScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import type { PageOf } from '../student.queries.ts'

/** Which staff: those at work on the day, inside the scope, that pass every given filter. */
export type StaffFilter = {
  school_id: number
  on: string
  scope: DeptScope
  dept_id?: string
  /** path of the department whose subtree counts */
  path?: string
  kind?: string
  state?: string
  subject?: string
  title?: string
  duty?: string
  keyword?: RawBuilder<boolean>
  /** has one of the asked tags */
  tagged?: RawBuilder<boolean>
  /** what is asked of a custom field */
  ext?: RawBuilder<boolean>
  /** only these of them */
  among?: readonly string[]
}
export type StaffSort = (typeof staff_sorts)[number]

function staffOf(db: Db, filter: StaffFilter) {
  const { school_id, on, scope, dept_id, path, kind, state, subject, title, duty, keyword, tagged, ext, among } = filter
  const in_office = sql`select t.user_id from staff_span t where t.school_id = ${school_id} and ${validOn('t', on)} and ${state === undefined ? sql`true` : sql`t.state = ${state}`}`
  const on_duty = sql`select y.user_id from dept_duty y where y.school_id = ${school_id} and ${validOn('y', on)} and y.duty = ${duty ?? ''}`
  const asks_dept = scope !== 'all' || dept_id !== undefined || path !== undefined
  return db
    .selectFrom('staff as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(isIn('s.user_id', in_office))
    .$if(asks_dept, query => query.where(isIn('s.user_id', membersOf(filter))))
    .$if(kind !== undefined, query => query.where('s.kind', '=', kind ?? ''))
    .$if(subject !== undefined, query => query.where('s.subject', '=', subject ?? ''))
    .$if(title !== undefined, query => query.where('s.title', '=', title ?? ''))
    .$if(duty !== undefined, query => query.where(isIn('s.user_id', on_duty)))
    .$if(keyword !== undefined, query => query.where(keyword ?? sql<boolean>`true`))
    .$if(tagged !== undefined, query => query.where(tagged ?? sql<boolean>`true`))
    .$if(ext !== undefined, query => query.where(ext ?? sql<boolean>`true`))
    .$if(among !== undefined, query => query.where(oneOf('s.user_id', among ?? [])))
}

/** Whoever belongs, with any of his departments, to the scope and to the department that is asked for. */
function membersOf({ school_id, on, scope, dept_id, path }: StaffFilter): RawBuilder<unknown> {
  const below = sql`select v.dept_id from dept_version v where v.school_id = ${school_id} and ${validOn('v', on)} and ${beginsWith('v.node_path', path ?? '/')}`
  return sql`
    select m.user_id from dept_member m
    where m.school_id = ${school_id} and m.member_kind = 'staff' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
      and ${path === undefined ? sql`true` : isIn('m.dept_id', below)} and ${dept_id === undefined ? sql`true` : sql`m.dept_id = ${dept_id}`}`
}

/** How many pass the filter; exact. */
export async function countStaff(db: Db, filter: StaffFilter): Promise<number> {
  const { total } = await staffOf(db, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return total
}

const orders = { teacher_no: sql`s.teacher_no`, name_py: sql`p.name_py`, updated: sql`p.updated_at desc` }

/** User ids of those that pass the filter, in order. */
export async function orderedStaff(db: Db, filter: StaffFilter, sort: StaffSort, { limit, offset }: { limit: number; offset: number }): Promise<string[]> {
  const rows = await staffOf(db, filter).select('s.user_id').orderBy(orders[sort]).orderBy('s.teacher_no').limit(limit).offset(offset).execute()
  return rows.map(row => row.user_id)
}

/** One page of those that pass the filter. */
export async function pageStaff(db: Db, filter: StaffFilter, sort: StaffSort, { page_index, page_size }: PageOf) {
  return staffLines(db, filter, await orderedStaff(db, filter, sort, { limit: page_size, offset: (page_index - 1) * page_size }))
}

/** Names and numbers of those that pass the filter, by number. */
export function staffNames(db: Db, filter: StaffFilter, limit: number) {
  return staffOf(db, filter).select(['s.user_id', 'p.user_name', 's.teacher_no as user_no']).orderBy('s.teacher_no').limit(limit).execute()
}

/** These members of staff in the order of the ids, with the state of the day; who is not at work then is absent. */
export async function staffLines(db: Db, { school_id, on }: Pick<StaffFilter, 'school_id' | 'on'>, user_ids: readonly string[]) {
  if (user_ids.length === 0) return []
  const rows = await db
    .selectFrom('staff as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .innerJoin('staff_span as t', join => join.onRef('t.school_id', '=', 's.school_id').onRef('t.user_id', '=', 's.user_id').on(validOn('t', on)))
    .select(['s.user_id', 'p.user_name', 's.teacher_no', 'p.sex', 'p.mobile', 's.kind', 's.post', 's.title', 's.subject', 't.state', 'p.photo_file_key', 'p.row_version', 'p.updated_at'])
    .where('s.school_id', '=', school_id)
    .where(oneOf('s.user_id', user_ids))
    .execute()
  const by_id = new Map(rows.map(row => [row.user_id, row]))
  return user_ids.flatMap(user_id => by_id.get(user_id) ?? [])
}
export type StaffLine = Awaited<ReturnType<typeof staffLines>>[number]

/** Departments of these people on the day, the primary one first. */
export function deptsOfStaff(db: Db, school_id: number, user_ids: readonly string[], on: string) {
  return db
    .selectFrom('dept_member as m')
    .select(['m.user_id', 'm.dept_id', 'm.is_primary', 'm.position'])
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', 'staff')
    .where(oneOf('m.user_id', user_ids))
    .where(validOn('m', on))
    .orderBy('m.is_primary', 'desc')
    .orderBy('m.id')
    .execute()
}

/** Duties of these people on the day. */
export function dutiesOfStaff(db: Db, school_id: number, user_ids: readonly string[], on: string) {
  return db
    .selectFrom('dept_duty as y')
    .select(['y.user_id', 'y.dept_id', 'y.duty'])
    .where('y.school_id', '=', school_id)
    .where(oneOf('y.user_id', user_ids))
    .where(validOn('y', on))
    .orderBy('y.duty')
    .orderBy('y.dept_id')
    .execute()
}

/** Roles that these people hold now, each once. */
export async function rolesOfStaff(db: Db, school_id: number, user_ids: readonly string[]): Promise<{ user_id: string; id: string; name: string }[]> {
  const own = asTables<IdentityViews>(db)
  const held = await own.selectFrom('identity_now_v').select(['user_id', 'role_id']).distinct().where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  if (held.length === 0) return []
  const roles = await own.selectFrom('role_v').select(['role_id', 'name']).where('school_id', '=', school_id).orderBy('role_id').execute()
  return roles.flatMap(({ role_id, name }) => held.filter(one => one.role_id === role_id).map(({ user_id }) => ({ user_id, id: role_id, name })))
}
