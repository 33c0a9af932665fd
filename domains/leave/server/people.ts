import { deptScope, inScope, selfScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Act, Db, LeaveCtx } from './db.ts'
import type { Subject } from './flow/approvers.ts'

export type Scopes = { student: DeptScope; staff: DeptScope }
const pupil = 1

/** Whose leaves the acting identity may see: pupils by class, staff by department (chapter 70 §4 within dept). */
export async function scopesOf(ctx: LeaveCtx): Promise<Scopes> {
  return { student: await deptScope(ctx, 'student'), staff: await deptScope(ctx, 'staff') }
}

/** The condition that a member `m` of a leave `a` lies in the scopes. */
export function isSeen({ student, staff }: Scopes): RawBuilder<boolean> {
  if (student === 'all' && staff === 'all') return sql<boolean>`true`
  return sql<boolean>`((a.person_kind = 1 and ${inScope('m.dept_id', student)}) or (a.person_kind <> 1 and ${inScope('m.dept_id', staff)}))`
}

/** The condition that a member of staff `l` lies in the scope. */
export function staffInScope(staff: DeptScope): RawBuilder<boolean> {
  return sql<boolean>`l.person_kind in (2, 6, 7) and ${inScope('l.label_dept_id', staff)}`
}

/** These people as far as they are at the school and in the scopes; `scopes` null: the whole school. @throws Refusal 404 when one is not */
export async function requireSubjects(db: Db, school_id: number, user_ids: readonly string[], scopes: Scopes | null): Promise<Subject[]> {
  const seen = scopes === null ? sql`true` : sql`((l.person_kind = 1 and ${inScope('l.label_dept_id', scopes.student)}) or (${staffInScope(scopes.staff)}))`
  const { rows } = await sql<Subject>`
    select l.user_id::text as user_id, l.person_kind::int as person_kind, l.user_name, l.label_dept_id::text as dept_id, s.grade, s.study_method
    from live_person l left join live_student s on s.school_id = ${school_id} and s.user_id = l.user_id and l.person_kind = 1
    where l.school_id = ${school_id} and l.user_id = any(${[...user_ids]}::bigint[]) and l.person_kind in (1, 2, 6, 7) and ${seen}
    order by l.user_id, l.person_kind`.execute(db)
  const found = new Map(rows.map(row => [row.user_id, row.person_kind === 7 ? { ...row, person_kind: 2 } : row]))
  const asked = new Set(user_ids)
  if (found.size < asked.size) throw fail(commonErrors.notFound)
  return [...asked].flatMap(user_id => found.get(user_id) ?? [])
}

/** The people for whom somebody may ask on his phone: himself, and children whose guardian he is (chapter 80 M5). */
export async function ownSubjects(ctx: LeaveCtx): Promise<{ own: string[]; children: string[] }> {
  const { db, school_id, me, now } = ctx
  const ids = await selfScope(ctx)
  const on = schoolDay(now)
  const { rows } = await sql<{ user_id: string }>`
    select g.student_user_id::text as user_id from guardian_span g
    where g.school_id = ${school_id} and g.parent_user_id = ${me.user_id} and g.student_user_id = any(${ids}::bigint[]) and g.is_guardian
      and g.valid_from <= ${on}::date and (g.valid_to is null or g.valid_to > ${on}::date)`.execute(db)
  return { own: [me.user_id], children: rows.map(row => row.user_id) }
}

/** Whether somebody is the class teacher of everybody's class today. */
export async function isClassTeacherOf({ db, school_id, now, by }: Act, subjects: readonly Subject[]): Promise<boolean> {
  if (by === null || subjects.some(one => one.person_kind !== pupil)) return false
  const { rows } = await sql<{ dept_id: string }>`
    select y.dept_id::text as dept_id from duty_span y
    where y.school_id = ${school_id} and y.user_id = ${by.user_id} and y.duty = 'head' and y.valid_from <= ${schoolDay(now)}::date and (y.valid_to is null or y.valid_to > ${schoolDay(now)}::date)`.execute(db)
  const led = new Set(rows.map(row => row.dept_id))
  return subjects.every(one => one.dept_id !== null && led.has(one.dept_id))
}

/** Names of people who may have left, by user id. */
export async function namesOf(db: Db, school_id: number, user_ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(user_ids.flatMap(user_id => user_id ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ user_id: string; name: string }>`
    select p.user_id::text as user_id, p.display_name as name from person_label p where p.school_id = ${school_id} and p.user_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.name]))
}
