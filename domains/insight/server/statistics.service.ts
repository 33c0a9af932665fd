import { metrics } from '@campus/insight/contract'
import type { DeptSize, Overview, StatRow, statisticsApi } from '@campus/insight/contract'
import { deptScope } from '@campus/people/server'
import type { Tree } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { countChanges, pageChanges } from './change.queries.ts'
import { classRows } from './class.figures.ts'
import { schoolDay } from './day.ts'
import type { InsightCtx } from './db.ts'
import { deptLabels } from './labels.ts'
import { rollPart } from './roll.figures.ts'
import { schoolType } from './roll.queries.ts'
import type { Asked } from './roll.queries.ts'
import { countStaff, pageStaff, staffByDept } from './staff.queries.ts'
import { change_metrics, isChange, windowOf } from './windows.ts'
import type { ChangeMetric } from './windows.ts'

type RowsQuery = Input<typeof statisticsApi.rows>
type Rows = { list: StatRow[]; total: number }
type Part = { limit: number; offset: number }

const enterprise = 2

/** The figures of this morning that the identity may see, inside its scope. */
export async function readOverview(ctx: InsightCtx): Promise<Overview> {
  const date = schoolDay(ctx.now)
  const is_enterprise = (await schoolType(ctx.db, ctx.school_id)) === enterprise
  const pupils = await askedOf(ctx, 'student', date)
  const staff = await askedOf(ctx, 'staff', date)
  const roll = is_enterprise ? { figures: [], grades: [] } : await rollPart(ctx, pupils)
  const sees_staff = ctx.me.codes.has(metrics.staff_total.need)
  const staff_figures = sees_staff ? [{ metric: 'staff_total' as const, count: await countStaff(ctx.db, staff), link: null }] : []
  return {
    date,
    as_of: ctx.now.toISOString(),
    figures: [...roll.figures, ...staff_figures],
    grades: roll.grades,
    depts: is_enterprise && sees_staff ? await deptSizes(ctx, staff) : [],
  }
}

/**
 * The rows behind a figure that no list of its owner shows; as many as the figure says.
 * @throws Refusal 403 without the figure's own permission, 404 for a department of another school
 */
export async function readRows(ctx: InsightCtx, { metric, dept_id, no_dept, page_index, page_size }: RowsQuery): Promise<Rows> {
  if (!ctx.me.codes.has(metrics[metric].need)) throw fail(commonErrors.forbidden)
  const today = schoolDay(ctx.now)
  const asked = await askedOf(ctx, metric === 'staff_total' ? 'staff' : 'student', today)
  await requireDept(ctx, dept_id)
  const part = { limit: page_size, offset: (page_index - 1) * page_size }
  if (metric === 'staff_total') return staffRows(ctx, asked, no_dept ? null : dept_id, part)
  if (isChange(metric)) return changeRows(ctx, metric, asked, part)
  const list = await classRows(ctx, metric)
  return { list: list.slice(part.offset, part.offset + part.limit), total: list.length }
}

async function askedOf(ctx: InsightCtx, tree: Tree, on: string): Promise<Asked> {
  return { school_id: ctx.school_id, on, scope: await deptScope(ctx, tree, on) }
}

async function requireDept(ctx: InsightCtx, dept_id: string | undefined): Promise<void> {
  if (dept_id === undefined) return
  const found = await ctx.db.selectFrom('dept_now').select('id').where('school_id', '=', ctx.school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
}

async function deptSizes(ctx: InsightCtx, asked: Asked): Promise<DeptSize[]> {
  const sizes = await staffByDept(ctx.db, asked)
  const labels = await deptLabels(ctx, sizes.map(size => size.dept_id), asked.on)
  return sizes.map(({ dept_id, total }) => ({ dept_id, label: (dept_id === null ? undefined : labels.get(dept_id)) ?? '未分配部门', total }))
}

async function staffRows(ctx: InsightCtx, asked: Asked, dept_id: string | null | undefined, part: Part): Promise<Rows> {
  const { list, total } = await pageStaff(ctx.db, asked, dept_id, part)
  const labels = await deptLabels(ctx, list.map(row => row.primary_dept_id), asked.on)
  const deptOf = (id: string | null) => (id === null ? undefined : labels.get(id)) ?? '未分配部门'
  return {
    list: list.map(row => ({ key: row.user_id, title: row.user_name, detail: `${row.teacher_no}　${deptOf(row.primary_dept_id)}`, at: null, link: null })),
    total,
  }
}

async function changeRows(ctx: InsightCtx, metric: ChangeMetric, asked: Asked, part: Part): Promise<Rows> {
  const { kind } = change_metrics[metric]
  const window = windowOf(metric, asked.on)
  const list = await pageChanges(ctx.db, kind, asked, window, part)
  const labels = await deptLabels(ctx, list.flatMap(row => [row.from_dept_id, row.to_dept_id]), asked.on)
  const classOf = (id: string | null) => (id === null ? [] : [labels.get(id) ?? '已撤销的班级'])
  return {
    list: list.map(row => ({
      key: `${row.user_id}-${row.at}`,
      title: row.user_name,
      detail: [...classOf(row.from_dept_id), ...classOf(row.to_dept_id)].join(' → '),
      at: row.at,
      link: null,
    })),
    total: await countChanges(ctx.db, kind, asked, window),
  }
}
