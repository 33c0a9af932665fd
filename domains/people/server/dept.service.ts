import type { deptApi, DeptNode } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Me } from '@kit/server/http'
import type { Input, Reply } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { schoolDay } from './day.ts'
import type { PeopleCtx, PeopleDb } from './db.ts'
import { deptLabel } from './dept.label.ts'
import { deptsOn, labelVersions, memberCounts, nameFormat } from './dept.queries.ts'
import { deptNodes, nest, visibleRows } from './dept.tree.ts'
import type { DeptRow } from './dept.tree.ts'
import { deptScope } from './scope.ts'
import type { Tree } from './scope.ts'

type TreeQuery = Input<typeof deptApi.tree>
type LevelQuery = Input<typeof deptApi.lazyTree>

/** The whole visible tree of a day, nested. */
export async function readTree(ctx: PeopleCtx, query: TreeQuery): Promise<Reply<typeof deptApi.tree>> {
  return { list: nest((await visibleNodes(ctx, query)).nodes) }
}

/** One level of the tree (the roots without `parent_id`), or every department whose name holds the keyword. */
export async function readLevel(ctx: PeopleCtx, query: LevelQuery): Promise<Reply<typeof deptApi.lazyTree>> {
  await requireDept(ctx, query.parent_id)
  const { rows, nodes } = await visibleNodes(ctx, query)
  const chosen = new Set(levelOf(rows, query).map(row => row.id))
  return { list: nodes.filter(node => chosen.has(node.id)) }
}

function levelOf(rows: readonly DeptRow[], { parent_id, keyword }: LevelQuery): DeptRow[] {
  const word = keyword?.trim()
  if (word) return rows.filter(row => row.dept_name.includes(word))
  const known = new Set(rows.map(row => row.id))
  return rows.filter(row => (parent_id === undefined ? row.parent_id === null || !known.has(row.parent_id) : row.parent_id === parent_id))
}

async function visibleNodes(ctx: PeopleCtx, query: TreeQuery): Promise<{ rows: DeptRow[]; nodes: DeptNode[] }> {
  const { db, school_id, me } = ctx
  if (query.school_id !== undefined && query.school_id !== ctx.school_id) throw fail(commonErrors.notFound)
  const tree: Tree = query.tree
  const on = query.on ?? schoolDay(ctx.now)
  const scope = await deptScope(ctx, tree, on)
  const rows = visibleRows(await deptsOn(db, school_id, tree, on), scope)
  const counts = query.with_count ? await memberCounts(db, school_id, on, scope) : []
  const format = await nameFormat(db, school_id)
  return { rows, nodes: deptNodes(rows, counts, row => deptLabel(row, format, me.dept_is_exact)) }
}

/**
 * A department named in a filter must be one of this school's, now or ever.
 * @throws Refusal 404, the same as for an id that does not exist
 */
export async function requireDept(ctx: { db: QueryExecutorProvider; school_id: number }, dept_id: string | undefined): Promise<void> {
  if (dept_id === undefined) return
  const found = await asTables<PeopleDb>(ctx.db).selectFrom('dept').select('id').where('school_id', '=', ctx.school_id).where('id', '=',
    dept_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
}

/** Labels of departments on a day in the school's format, or as paths for an identity that asks for exactness (rule 10). */
export async function labelsOn(ctx: Pick<PeopleCtx, 'db' | 'school_id'> & { me: Pick<Me, 'dept_is_exact'> }, dept_ids: readonly string[], on: string): Promise<Map<string, string>> {
  if (dept_ids.length === 0) return new Map()
  const [versions, format] = await Promise.all([labelVersions(ctx.db, ctx.school_id, [...new Set(dept_ids)], on), nameFormat(ctx.db, ctx.school_id)])
  return new Map(versions.map(({ closed_on, ...version }) => {
    const is_closed = closed_on !== null && closed_on <= on
    return [version.dept_id, deptLabel({ ...version, is_closed }, format, ctx.me.dept_is_exact)]
  }))
}
