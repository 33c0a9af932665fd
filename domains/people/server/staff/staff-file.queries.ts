import { numberKey } from '@kit/contract/checks'
import { validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { deptsOfStaff } from './staff.queries.ts'
import type { DeptScope } from '../scope.ts'

/** Which file, seen by whom. */
export type StaffKey = { school_id: number; user_id: string; scope: DeptScope; today: string }
/** A member of staff at work with every field of the file. */
export type KnownStaff = NonNullable<Awaited<ReturnType<typeof staffAtWork>>>

/** The member of staff at work today, if one of his departments lies in the scope; undefined for everybody else. */
export async function staffAtWork(db: Db, { school_id, user_id, scope, today }: StaffKey) {
  const found = await db
    .selectFrom('staff as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .innerJoin('staff_span as t', join => join.onRef('t.school_id', '=', 's.school_id').onRef('t.user_id', '=', 's.user_id').on(validOn('t', today)))
    .select([
      's.user_id', 's.teacher_no', 's.kind', 's.join_month', 's.bz', 's.post', 's.employ', 's.edu', 's.degree', 's.title', 's.stage', 's.subject', 's.cert', 's.mandarin',
      's.work_month', 's.remark', 's.ext', 'p.user_name', 'p.sex', 'p.mobile', 'p.id_type', 'p.id_no_enc', 'p.id_no_idx', 'p.id_no_mask', 'p.birthday', 'p.nation', 'p.political',
      'p.email', 'p.qq', 'p.photo_file_key', 'p.row_version', 'p.created_at', 'p.updated_at', 't.state',
    ])
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where('s.user_id', '=', user_id)
    .executeTakeFirst()
  if (!found) return undefined
  const depts = await deptsOfStaff(db, school_id, [user_id], today)
  return scope === 'all' || depts.some(dept => scope.includes(dept.dept_id)) ? { ...found, depts } : undefined
}

/** States of the person over days, newest first. */
export function staffSpans(db: Db, school_id: number, user_id: string) {
  return db.selectFrom('staff_span').select(['state', 'valid_from', 'valid_to', 'open_kind', 'reason']).where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('valid_from', 'desc').execute()
}

/** Who has this number: as staff, as a pupil. */
export async function staffNoOwners(db: Db, school_id: number, teacher_no: string): Promise<{ staff?: string; pupil?: string }> {
  const staff = await db.selectFrom('staff').select('user_id').where('school_id', '=', school_id).where('teacher_no_lower', '=', numberKey(teacher_no)).executeTakeFirst()
  const pupil = await db.selectFrom('student').select('user_id').where('school_id', '=', school_id).where('student_no_lower', '=', numberKey(teacher_no)).executeTakeFirst()
  return { staff: staff?.user_id, pupil: pupil?.user_id }
}

/** What this person of the school is: staff (at work today or not), pupil. */
export async function facetsOf(db: Db, school_id: number, user_id: string, today: string): Promise<{ is_staff: boolean; is_here: boolean; is_pupil: boolean }> {
  const staff = await db.selectFrom('staff').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  const here = await db.selectFrom('staff_span as t').select('t.id').where('t.school_id', '=', school_id).where('t.user_id', '=', user_id).where(validOn('t', today)).executeTakeFirst()
  const pupil = await db.selectFrom('student').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return { is_staff: staff !== undefined, is_here: here !== undefined, is_pupil: pupil !== undefined }
}

/** Names of the codes of these dictionaries in this school. */
export async function dictionaryNames(db: Db, school_id: number, types: readonly string[]): Promise<Map<string, string>> {
  const items = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', [...types]).execute()
  return new Map(items.map(item => [`${item.sc_code_type}:${item.sc_code_item}`, item.name]))
}
