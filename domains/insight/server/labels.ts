import { deptLabel } from '@campus/people/server'
import { sql } from 'kysely'
import { validOn } from './day.ts'
import type { InsightCtx } from './db.ts'
import { nameFormat } from './roll.queries.ts'

/** Labels of these departments on the day in the school's format, or as paths for an identity that asks for exactness; a department that is gone by then has none. */
export async function deptLabels(ctx: InsightCtx, dept_ids: readonly (string | null)[], on: string): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(dept_ids.flatMap(dept_id => dept_id ?? []))]
  if (wanted.length === 0) return new Map()
  const versions = await ctx.db
    .selectFrom('dept_on_date as d')
    .select(['d.id', 'd.dept_type', 'd.dept_name', 'd.grade', 'd.enrol_year', 'd.pt_node_path_name'])
    .where('d.school_id', '=', ctx.school_id)
    .where(sql<boolean>`d.id = any(${wanted}::bigint[])`)
    .where(validOn('d', on))
    .execute()
  const format = await nameFormat(ctx.db, ctx.school_id)
  return new Map(versions.map(version => [version.id, deptLabel(version, format, ctx.me.dept_is_exact)]))
}
