import { schoolDay } from '../day.ts'
import type { Db } from '../db.ts'
import { deptsOn } from '../dept.queries.ts'
import { dictionaryNames } from '../staff/staff-file.queries.ts'
import type { RosterWords } from './one-roster.ts'

const grade_type = 3

/** How this school calls what a roster only has codes for, and where its grades stand today. */
export async function rosterWords(db: Db, school_id: number, now: Date): Promise<RosterWords> {
  const on = schoolDay(now)
  const names = await dictionaryNames(db, school_id, ['DEPT_TYPE', 'GRADE', 'SEX', 'YES_NO', 'PICKUP_RELATION', 'STAFF_KIND', 'STAFF_STATE'])
  const name = (type: string, code: string) => names.get(`${type}:${code}`) ?? ''
  const depts = await deptsOn(db, school_id, 'student', on)
  const grades = await db.selectFrom('dept_now').select(['id', 'grade']).where('school_id', '=', school_id).where('dept_type', '=', grade_type).execute()
  const path_of = new Map(depts.map(dept => [dept.id, dept.pt_node_path_name]))
  const paths = new Map(grades.map(({ id, grade }) => [grade, path_of.get(id) ?? '']))
  return {
    school: depts.find(dept => dept.parent_id === null)?.dept_name ?? '',
    // A grade that does not stand yet is named all the same: the dry run says that it is missing.
    grade_path: grade => paths.get(grade) ?? name('GRADE', grade),
    grade_name: grade => names.get(`GRADE:${grade}`),
    sex: code => name('SEX', code),
    class_type: name('DEPT_TYPE', '4'), office_type: name('DEPT_TYPE', '5'), yes: name('YES_NO', '1'), no: name('YES_NO', '0'),
    relation: name('PICKUP_RELATION', '95'), staff_kind: name('STAFF_KIND', '11'), at_work: name('STAFF_STATE', '11'),
  }
}
