import { deptScope, inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AccessCtx } from '../db.ts'
import { scenes } from '../decide/facts.ts'

type Scopes = { student: DeptScope; staff: DeptScope }

/** Departments whose people the acting identity looks after: pupils by class, staff by department. */
export async function scopesOf(ctx: AccessCtx): Promise<Scopes> {
  return { student: await deptScope(ctx, 'student'), staff: await deptScope(ctx, 'staff') }
}

/** The scope that counts for a scene: of staff, or of pupils and their guardians. */
export async function scopeOf(ctx: AccessCtx, scene: number): Promise<DeptScope> {
  const { student, staff } = await scopesOf(ctx)
  return scene === scenes.staff ? staff : student
}

/** The condition that a living person `l` (live_person) lies in the scopes. */
export function isSeen({ student, staff }: Scopes): RawBuilder<boolean> {
  return sql<boolean>`((l.person_kind = 1 and ${inScope('l.label_dept_id', student)}) or (l.person_kind in (2, 6, 7) and ${inScope('l.label_dept_id', staff)}))`
}

export type Found = { user_id: string; user_name: string; person_kind: number; dept_id: string | null; dept_name: string | null }

/** Living people in the scopes. @throws Refusal 404 when one is not there */
export async function requirePeople(ctx: AccessCtx, user_ids: readonly string[]): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select distinct on (l.user_id) l.user_id::text, l.user_name, l.person_kind, l.label_dept_id::text as dept_id, d.dept_name from live_person l left join dept_now d on d.school_id = ${ctx.school_id} and d.id = l.label_dept_id
    where l.school_id = ${ctx.school_id} and l.user_id = any(${[...user_ids]}::bigint[]) and ${isSeen(await scopesOf(ctx))} order by l.user_id, l.person_kind`.execute(ctx.db)
  if (rows.length < new Set(user_ids).size) throw fail(commonErrors.notFound)
  return rows
}

/** @throws Refusal 404 for a department that is not there or not his */
export async function requireDepts({ db, school_id }: AccessCtx, dept_ids: readonly string[], scope: DeptScope): Promise<void> {
  if (dept_ids.length === 0) return
  const found = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where(sql<boolean>`id = any(${[...dept_ids]}::bigint[])`).where(inScope('id', scope)).execute()
  if (found.length < new Set(dept_ids).size) throw fail(commonErrors.notFound)
}
