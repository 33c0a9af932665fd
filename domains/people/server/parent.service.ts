import type { parentApi, ParentRow } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { pathOn } from './dept.queries.ts'
import { labelsOn, requireDept } from './dept.service.ts'
import { parentFits, parseKeyword } from './keyword.ts'
import { childrenOf, countParents, pageParents } from './parent.queries.ts'
import type { ParentFilter } from './parent.queries.ts'
import { deptScope } from './scope.ts'
import type { DeptScope } from './scope.ts'
import type { RosterDesk } from './student.service.ts'

type Query = Input<typeof parentApi.list>

/** Parents of the pupils on the roll, with those of their children that the identity may see. */
export async function listParents(ctx: PeopleCtx, query: Query): Promise<Reply<typeof parentApi.list>> {
  const on = schoolDay(ctx.now)
  const filter = await parentFilter(ctx, await deptScope(ctx, 'student', on), query, on)
  if (!filter) return { list: [], total: 0 }
  const rows = await pageParents(ctx.db, filter, query)
  const total = await countParents(ctx.db, filter)
  return { list: await parentRows(ctx, filter, rows), total }
}

/** Parents as the list shows them: masked mobile, and those of their children that the scope shows. */
export async function parentRows(ctx: RosterDesk, filter: ParentFilter, rows: Awaited<ReturnType<typeof pageParents>>): Promise<ParentRow[]> {
  const { on } = filter
  const children = rows.length === 0 ? [] : await childrenOf(ctx.db, filter, rows.map(row => row.user_id))
  const labels = await labelsOn(ctx, children.flatMap(child => child.dept_id ?? []), on)
  const by_parent = Map.groupBy(children, child => child.parent_user_id)
  return rows.map(({ mobile, updated_at, ...row }) => ({
    ...row,
    mobile: mobile === null ? null : maskMobile(mobile),
    children: (by_parent.get(row.user_id) ?? []).map(({ user_id, user_name, student_no, dept_id, relation, is_guardian }) => {
      return { user_id, user_name, student_no, dept_name: dept_id === null ? null : (labels.get(dept_id) ?? null), relation, is_guardian }
    }),
    updated_at: updated_at.toISOString(),
  }))
}

/** The filter of the list without its paging. */
export type ParentListQuery = Omit<Query, 'page_index' | 'page_size'>

/** Null when the asked department did not exist on that day: nobody was in it. */
export async function parentFilter(ctx: RosterDesk, scope: DeptScope, query: ParentListQuery, on: string): Promise<ParentFilter | null> {
  const { dept_id, include_sub, is_guardian } = query
  await requireDept(ctx, dept_id)
  const path = dept_id !== undefined && include_sub ? await pathOn(ctx.db, ctx.school_id, dept_id, on) : undefined
  if (dept_id !== undefined && include_sub && path === undefined) return null
  const keyword = parseKeyword(query.keyword)
  return {
    school_id: ctx.school_id,
    on,
    scope,
    dept_id: path === undefined ? dept_id : undefined,
    path,
    is_guardian,
    keyword: keyword ? parentFits(keyword, ctx.app.secrets, ctx.school_id, on) : undefined,
  }
}
