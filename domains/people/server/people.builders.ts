import type { Db } from './db.ts'
import { createDepts } from './dept.create.ts'
import { linkGuardians } from './guardian.create.ts'
import type { IdKeys } from './id-number.ts'
import { hireStaff } from './staff.create.ts'
import { enrolStudents } from './student.create.ts'

/** Ids of the small school that tests begin with. */
export type SmallSchool = { grade: string; class_1: string; class_2: string; office: string; pupils: string[]; teachers: string[]; from: string }

const from = '2026-09-01'

/**
 * One grade with two classes (capacity 3) below `root`, three pupils (two of them brother and sister), two teachers, three guardians:
 * 王子涵 and 王子轩 in class 1 with parents 王志强 and 李秀芳, 单小明 in class 2 with 单大山.
 */
export async function buildSmallSchool(db: Db, keys: IdKeys, school_id: number, root: string): Promise<SmallSchool> {
  const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
  const ids = await createDepts(db, school_id, [
    { key: 'grade', parent: root, dept_name: '一年级', dept_type: 3, ...cohort },
    { key: 'class 1', parent: 'grade', dept_name: '一年级1班', dept_type: 4, class_no: 1, capacity: 3, ...cohort },
    { key: 'class 2', parent: 'grade', dept_name: '一年级2班', dept_type: 4, class_no: 2, capacity: 3, ...cohort },
    { key: 'office', parent: root, dept_name: '教务处', dept_type: 5, tree: 'staff' },
  ], from)
  const [grade = '', class_1 = '', class_2 = '', office = ''] = ['grade', 'class 1', 'class 2', 'office'].map(key => ids.get(key))
  const pupil = { enrol_month: '202609', from, birthday: '2020-05-12', id_type: '1', study_method: '1', nation: '01' }
  const pupils = await enrolStudents(db, keys, school_id, [
    { ...pupil, user_name: '王子涵', sex: '1', student_no: '20260101', id_no: '370200202005120019', school_roll_no: 'G370200202005120019', dept_id: class_1 },
    { ...pupil, user_name: '王子轩', sex: '2', student_no: '20260102', id_no: '370200202005120027', dept_id: class_1 },
    { ...pupil, user_name: '单小明', sex: '1', student_no: '20260201', id_no: '370200202005120035', dept_id: class_2 },
  ])
  const staff = { kind: '11', join_month: '202609', from, sex: '2' }
  const teachers = await hireStaff(db, keys, school_id, [
    { ...staff, user_name: '陈晓华', teacher_no: 'T1', mobile: '16910000001', depts: [{ dept_id: office }], duties: [{ dept_id: class_1, duty: 'head' }] },
    { ...staff, user_name: '周明', teacher_no: 'T2', mobile: '16910000002', depts: [{ dept_id: office }] },
  ])
  const guardian = { is_guardian: true, from }
  const [first = '', second = '', third = ''] = pupils
  await linkGuardians(db, keys, school_id, [
    { ...guardian, student_user_id: first, user_name: '王志强', mobile: '16900000001', relation: '51', is_first: true },
    { ...guardian, student_user_id: first, user_name: '李秀芳', mobile: '16900000002', relation: '52', is_first: false },
    { ...guardian, student_user_id: second, user_name: '王志强', mobile: '16900000001', relation: '51', is_first: true },
    { ...guardian, student_user_id: third, user_name: '单大山', mobile: '16900000003', relation: '51', is_first: true },
  ])
  return { grade, class_1, class_2, office, pupils, teachers, from }
}
