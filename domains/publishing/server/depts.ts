import { deptScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { PublishingCtx, Work } from './db.ts'

export type Scopes = { student: DeptScope; staff: DeptScope }

/** Which classes and departments the acting identity may write to and look into. */
export async function scopesOf(ctx: PublishingCtx): Promise<Scopes> {
  return { student: await deptScope(ctx, 'student'), staff: await deptScope(ctx, 'staff') }
}

export function isIn(scope: DeptScope, dept_id: string | null): boolean {
  return scope === 'all' || (dept_id !== null && scope.includes(dept_id))
}

/** The open departments at and below these. @throws Refusal 404 when one is not of this school */
export async function deptsBelow({ db, school_id }: Pick<Work, 'db' | 'school_id'>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ root: string; id: string }>`
    select r.id::text as root, d.id::text as id from dept_now r
    join dept_now d on d.school_id = ${school_id} and d.node_path >= r.node_path and d.node_path < left(r.node_path, -1) || '0'
    where r.school_id = ${school_id} and r.id = any(${[...ids]}::bigint[])`.execute(db)
  if (new Set(rows.map(row => row.root)).size < new Set(ids).size) throw fail(commonErrors.notFound)
  return [...new Set(rows.map(row => row.id))]
}

/** @throws Refusal 404 when a department is not of this school, or not in the scope */
export async function requireDept({ db, school_id }: Pick<Work, 'db' | 'school_id'>, scope: DeptScope, dept_id: string): Promise<{ dept_name: string; grade: string | null; stage: string | null }> {
  const found = await db.selectFrom('dept_now').select(['dept_name', 'grade', 'stage']).where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!found || !isIn(scope, dept_id)) throw fail(commonErrors.notFound)
  return found
}
