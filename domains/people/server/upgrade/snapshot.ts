import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A department as it stands on the effective day; `later`: another name, parent or end of it is already written down for a later day. */
export type SnapDept = {
  dept_id: string
  dept_type: number
  parent_id: string | null
  dept_name: string
  grade: string | null
  stage: string | null
  enrol_year: number | null
  class_no: number | null
  class_type: string | null
  capacity: number | null
  name_auto: boolean
  opened_on: string
  show_order: number
  node_path: string
  later: boolean
}
/** A pupil in a class on the effective day; `later`: his class or state changes on a later day that is already written down. */
export type SnapPupil = { user_id: string; dept_id: string; state: string; later: boolean }
/** Everything a promotion depends on, as it is on the effective day without it. */
export type Snapshot = { school_id: number; on: string; depts: SnapDept[]; pupils: SnapPupil[] }

/** Reads the departments and pupils of a day. */
export async function readSnapshot(db: Db, school_id: number, on: string): Promise<Snapshot> {
  const depts = await sql<SnapDept>`
    select v.dept_id, d.dept_type, v.parent_id, v.dept_name, v.grade, d.stage, d.enrol_year, d.class_no, d.class_type, d.capacity, d.name_auto,
      d.opened_on, v.show_order, v.node_path,
      d.closed_on is not null or exists (
        select from dept_version l where l.school_id = ${school_id} and l.dept_id = v.dept_id and l.valid_from > ${on}::date) as later
    from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id
    where v.school_id = ${school_id} and d.school_id = ${school_id} and v.valid_from <= ${on}::date and (v.valid_to is null or v.valid_to > ${on}::date)
    order by v.dept_id`.execute(db)
  const pupils = await sql<SnapPupil>`
    select m.user_id, m.dept_id, t.state,
      m.valid_to is not null or t.valid_to is not null or exists (
        select from dept_member l where l.school_id = ${school_id} and l.user_id = m.user_id and l.member_kind = 'student' and l.valid_from > ${on}::date) as later
    from dept_member m join student_span t on t.school_id = m.school_id and t.user_id = m.user_id
      and t.valid_from <= ${on}::date and (t.valid_to is null or t.valid_to > ${on}::date)
    where m.school_id = ${school_id} and t.school_id = ${school_id} and m.member_kind = 'student'
      and m.valid_from <= ${on}::date and (m.valid_to is null or m.valid_to > ${on}::date)
    order by m.user_id`.execute(db)
  return { school_id, on, depts: depts.rows, pupils: pupils.rows }
}

/** A hash over everything in it: the same school gives the same text to the byte. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
