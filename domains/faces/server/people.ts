import { deptScope, inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, FacesCtx } from './db.ts'

/** Somebody whose face may be collected; `birthday` of pupils alone. */
export type Sitter = { user_id: string; person_kind: number; user_name: string; user_no: string; dept_name: string | null; birthday: string | null }
export type Scopes = { student: DeptScope; staff: DeptScope }
export const [pupils, staff, parents] = [1, 2, 3] as const

/** Whose faces the acting identity may see: pupils by class, staff by department, parents by child (chapter 40 §4). */
export async function scopesOf(ctx: FacesCtx): Promise<Scopes> {
  return { student: await deptScope(ctx, 'student'), staff: await deptScope(ctx, 'staff') }
}

/** The condition that a living person `l` (live_person) lies in the scopes. */
function isSeen(school_id: number, { student, staff: of_staff }: Scopes): RawBuilder<boolean> {
  const children = sql`
    select g.parent_user_id from guardian_span g join live_student s on s.school_id = ${school_id} and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and g.valid_to is null and ${inScope('s.dept_id', student)}`
  const own_parents = student === 'all' ? sql`true` : sql`l.user_id in (${children})`
  return sql<boolean>`(
    (l.person_kind = 1 and ${inScope('l.label_dept_id', student)}) or (l.person_kind = 3 and ${own_parents})
    or (l.person_kind not in (1, 3) and ${inScope('l.label_dept_id', of_staff)}))`
}

/** These people as far as they are here and in the scopes; `scopes` null: the whole school. */
export async function readSitters(db: Db, school_id: number, user_ids: readonly string[], scopes: Scopes | null): Promise<Map<string, Sitter>> {
  const { rows } = await sql<Sitter>`
    select l.user_id::text as user_id, l.person_kind::int as person_kind, l.user_name, l.user_no, d.dept_name, s.birthday::text as birthday
    from live_person l
    left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id
    left join live_student s on s.school_id = ${school_id} and s.user_id = l.user_id
    where l.school_id = ${school_id} and l.user_id = any(${[...user_ids]}::bigint[]) and ${scopes === null ? sql`true` : isSeen(school_id, scopes)}
    order by l.user_id, l.person_kind desc`.execute(db)
  return new Map(rows.map(row => [row.user_id, row]))
}

/** All of these people, in the scope. @throws Refusal 404 when one of them is not */
export async function requireSitters(ctx: FacesCtx, user_ids: readonly string[]): Promise<Map<string, Sitter>> {
  const found = await readSitters(ctx.db, ctx.school_id, user_ids, await scopesOf(ctx))
  if (found.size < new Set(user_ids).size) throw fail(commonErrors.notFound)
  return found
}

/** One person in the scope. @throws Refusal 404 */
export async function requireSitter(ctx: FacesCtx, user_id: string): Promise<Sitter> {
  const found = (await requireSitters(ctx, [user_id])).get(user_id)
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** Who decides for a child today, with his relation. */
export async function guardiansOf(db: Db, school_id: number, student_ids: readonly string[]): Promise<{ student_user_id: string; parent_user_id: string; relation: string }[]> {
  return db
    .selectFrom('guardian_span')
    .select(['student_user_id', 'parent_user_id', 'relation'])
    .where('school_id', '=', school_id)
    .where('student_user_id', 'in', ['0', ...student_ids])
    .where('is_guardian', '=', true)
    .where('valid_to', 'is', null)
    .execute()
}
