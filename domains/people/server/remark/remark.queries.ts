import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { inScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'

/** A remark field as it is stored. */
export type RemarkRecord = Awaited<ReturnType<typeof readRemarkFields>>[number]

/** The remark fields of a school in their order, archived ones last. */
export function readRemarkFields(db: Db, school_id: number) {
  return db.selectFrom('dept_remark_field').selectAll().where('school_id', '=', school_id).orderBy('archived').orderBy('order_no').orderBy('id').execute()
}

/** How many departments have a value of each field, by field and value. */
export async function remarkUses(db: Db, school_id: number): Promise<{ field_id: string; value: string; depts: number }[]> {
  const { rows } = await sql<{ field_id: string; value: string; depts: number }>`
    select r.field_id, r.value, count(*)::int as depts from dept_remark r where r.school_id = ${school_id} group by r.field_id, r.value`.execute(db)
  return rows
}

/** What these departments say themselves. */
export function remarksOf(db: Db, school_id: number, dept_ids: readonly string[]) {
  return db.selectFrom('dept_remark').select(['dept_id', 'field_id', 'value']).where('school_id', '=', school_id).where(oneOf('dept_id', dept_ids)).execute()
}

/** Which departments say something of a field, and what. */
export async function saidOf(db: Db, school_id: number, field_id: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('dept_remark').select(['dept_id', 'value']).where('school_id', '=', school_id).where('field_id', '=', field_id).execute()
  return new Map(rows.map(row => [row.dept_id, row.value]))
}

/** Writes one value of a department; null takes it away. */
export async function putRemark(db: Db, { school_id, dept_id, field_id }: { school_id: number; dept_id: string; field_id: string }, value: string | null): Promise<void> {
  if (value === null) {
    await db.deleteFrom('dept_remark').where('school_id', '=', school_id).where('dept_id', '=', dept_id).where('field_id', '=', field_id).execute()
    return
  }
  await db.insertInto('dept_remark').values({ school_id, dept_id, field_id, value }).onConflict(conflict => conflict.columns(['school_id', 'dept_id', 'field_id']).doUpdateSet({ value })).execute()
}

/** A department that vanishes leaves no remark. */
export async function dropRemarks(db: Db, school_id: number, dept_ids: readonly string[]): Promise<void> {
  await db.deleteFrom('dept_remark').where('school_id', '=', school_id).where(oneOf('dept_id', dept_ids)).execute()
}

/** Staff at work by their primary department of the scope on a day. */
export async function staffByDept(db: Db, school_id: number, on: string, scope: DeptScope): Promise<{ dept_id: string; staff: number }[]> {
  const { rows } = await sql<{ dept_id: string; staff: number }>`
    select m.dept_id, count(*)::int as staff from dept_member m
    join staff_span t on t.school_id = m.school_id and t.user_id = m.user_id and ${validOn('t', on)}
    where m.school_id = ${school_id} and t.school_id = ${school_id} and m.member_kind = 'staff' and m.is_primary and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
    group by m.dept_id`.execute(db)
  return rows
}
