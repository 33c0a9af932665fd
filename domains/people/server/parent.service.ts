import type { parentApi } from '@campus/people/contract'
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

type Query = Input<typeof parentApi.list>

/** Parents of the pupils on the roll, with those of their children that the identity may see. */
export async function listParents(ctx: PeopleCtx, query: Query): Promise<Reply<typeof parentApi.list>> {
  const on = schoolDay(ctx.now)
  const filter = await parentFilter(ctx, query, on)
  if (!filter) return { list: [], total: 0 }
  const rows = await pageParents(ctx.db, filter, query)
  const total = await countParents(ctx.db, filter)
  const children = rows.length === 0 ? [] : await childrenOf(ctx.db, filter, rows.map(row => row.user_id))
  const labels = await labelsOn(ctx, children.flatMap(child => child.dept_id ?? []), on)
  const by_parent = Map.groupBy(children, child => child.parent_user_id)
  const list = rows.map(({ mobile, updated_at, ...row }) => ({
    ...row,
    mobile: mobile === null ? null : maskMobile(mobile),
    children: (by_parent.get(row.user_id) ?? []).map(({ user_id, user_name, student_no, dept_id, relation, is_guardian }) => {
      return { user_id, user_name, student_no, dept_name: dept_id === null ? null : (labels.get(dept_id) ?? null), relation, is_guardian }
    }),
    updated_at: updated_at.toISOString(),
  }))
  return { list, total }
}

async function parentFilter(ctx: PeopleCtx, query: Query, on: string): Promise<ParentFilter | null> {
  const { dept_id, include_sub, is_guardian } = query
  const scope = await deptScope(ctx, 'student', on)
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
