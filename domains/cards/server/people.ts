import { deptScope, inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { CardsCtx, Db } from './db.ts'

/** Somebody who may have a card. */
export type Holder = { user_id: string; person_kind: number; user_name: string; user_no: string; dept_id: string | null; dept_name: string | null }

export type Scopes = { student: DeptScope; staff: DeptScope }

/** Whose cards the acting identity may see: pupils by class, staff by department, parents by child (chapter 40 §4). */
export async function scopesOf(ctx: CardsCtx): Promise<Scopes> {
  return { student: await deptScope(ctx, 'student'), staff: await deptScope(ctx, 'staff') }
}

/** The condition that a living person `l` (live_person) lies in the scopes. */
export function isSeen(school_id: number, { student, staff }: Scopes): RawBuilder<boolean> {
  if (student === 'all' && staff === 'all') return sql<boolean>`true`
  const children = sql`
    select g.parent_user_id from guardian_span g join live_student s on s.school_id = ${school_id} and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and ${inScope('s.dept_id', student)}`
  const parents = student === 'all' ? sql`true` : sql`l.user_id in (${children})`
  return sql<boolean>`(
    (l.person_kind = 1 and ${inScope('l.label_dept_id', student)}) or (l.person_kind = 3 and ${parents})
    or (l.person_kind not in (1, 3) and ${inScope('l.label_dept_id', staff)}))`
}

/** These people as far as they are here and in the scopes; `scopes` null: the whole school. */
export async function readHolders(db: Db, school_id: number, user_ids: readonly string[], scopes: Scopes | null): Promise<Map<string, Holder>> {
  const { rows } = await sql<Holder>`
    select l.user_id::text as user_id, l.person_kind::int as person_kind, l.user_name, l.user_no, l.label_dept_id::text as dept_id, d.dept_name
    from live_person l left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id
    where l.school_id = ${school_id} and l.user_id = any(${[...user_ids]}::bigint[]) and ${scopes === null ? sql`true` : isSeen(school_id, scopes)}
    order by l.user_id, l.person_kind desc`.execute(db)
  return new Map(rows.map(row => [row.user_id, row]))
}

/** One person in the scope. @throws Refusal 404 */
export async function requireHolder(ctx: CardsCtx, user_id: string): Promise<Holder> {
  const found = (await readHolders(ctx.db, ctx.school_id, [user_id], await scopesOf(ctx))).get(user_id)
  if (!found) throw fail(commonErrors.notFound)
  return found
}
