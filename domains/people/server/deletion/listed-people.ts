import { maskName } from '@kit/contract/checks'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import type { Snapshot } from './batch.queries.ts'

/** Somebody who may be put on the list. */
export type Listed = { user_id: string; user_name: string; created_at: Date; facets: { student: boolean; staff: boolean }; snapshot: Snapshot }

const parent_kind = 3

/** These people as they are on record, live ones alone, in the order of their ids. */
export async function listedPeople(db: Db, school_id: number, user_ids: readonly string[]): Promise<Listed[]> {
  const people = await db.selectFrom('person').select(['user_id', 'user_name', 'created_at']).where('school_id', '=', school_id).where('status', '=', 'live').where(oneOf('user_id', user_ids)).orderBy('user_id').execute()
  const labels = await db.selectFrom('person_label').select(['user_id', 'last_dept_name', 'person_kind']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  const pupils = await db.selectFrom('student').select(['user_id', 'student_no as no']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  const staff = await db.selectFrom('staff').select(['user_id', 'teacher_no as no']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  const label_of = new Map(labels.map(label => [label.user_id, label]))
  const pupil_of = new Map(pupils.map(row => [row.user_id, row.no]))
  const staff_of = new Map(staff.map(row => [row.user_id, row.no]))
  return people.map(({ user_id, user_name, created_at }) => {
    const label = label_of.get(user_id)
    const user_no = pupil_of.get(user_id) ?? staff_of.get(user_id) ?? `P${user_id}`
    return {
      user_id, user_name, created_at,
      facets: { student: pupil_of.has(user_id), staff: staff_of.has(user_id) },
      snapshot: { person_kind: label?.person_kind ?? parent_kind, user_no, user_name: maskName(user_name), dept_name: label?.last_dept_name ?? null },
    }
  })
}
