import type { NewGuardian, NewStudent } from '@campus/people/server'
import type { PlannedDept } from './departments.ts'
import { fictionalIdNo, fictionalMobile } from './fictional-numbers.ts'
import { personName } from './person-names.ts'
import { diceOf } from './random.ts'

const class_name = '高一1班'
const age = 15

/** The pupil and the parent behind the demo accounts. */
export type Family = { class_key: string; student: Omit<NewStudent, 'dept_id' | 'from'>; guardian: Omit<NewGuardian, 'student_user_id' | 'from'> }

/** A girl of the first class of senior school and her father. */
export function familyOf(depts: readonly PlannedDept[], school_year: number): Family {
  const dice = diceOf('family')
  const home = depts.find(dept => dept.dept_name === class_name)
  const father = personName(dice, 'parent', '1')
  const birthday = `${school_year - age}-05-17`
  const student = {
    user_name: personName(dice, 'student', '2', father.charAt(0)),
    sex: '2',
    birthday,
    id_type: '1',
    id_no: fictionalIdNo(dice, birthday, '2', 1),
    nation: '01',
    student_no: `${home?.enrol_year ?? school_year}30101`,
    enrol_month: `${home?.enrol_year ?? school_year}09`,
    study_method: '1',
    entry_way: '01',
  }
  const guardian = { user_name: father, mobile: fictionalMobile('parents', 1), relation: '51', is_first: true, is_guardian: true }
  return { class_key: home?.key ?? '', student, guardian }
}
