import { registry, registry_props } from '@campus/people/contract'

/** Tables that hold the fields of a person's files. */
export const field_tables = ['person', 'student', 'staff', 'parent'] as const
export type FieldTable = (typeof field_tables)[number]

/** One field whose value is chosen: `columns` are taken together. `unique`: a number nobody else ever has, so that the two swap. */
export type FieldFact = { field: string; label: string; table: FieldTable; columns: readonly string[]; dict?: string; kind?: 'division' | 'json'; unique?: true }

const columns_of: Readonly<Record<string, readonly string[]>> = {
  user_name: ['user_name', 'name_py', 'name_initials'],
  id_no: ['id_type', 'id_no_enc', 'id_no_idx', 'id_no_mask'],
}
/** Numbers of the school register: unique for ever. */
const register_numbers: ReadonlySet<string> = new Set(['student_no', 'school_roll_no'])

const of_pupils: readonly FieldFact[] = registry_props.flatMap((prop): FieldFact[] => {
  const { home, label, dict, kind } = registry[prop]
  // The document goes with its number.
  if (prop === 'id_type' || home === 'person') return []
  const look = kind === 'division' ? { kind } : dict === undefined ? {} : { dict }
  return [{ field: prop, label, table: 'student', columns: [prop], ...look, ...(register_numbers.has(prop) ? { unique: true } : {}) }]
})

const of_everybody: readonly FieldFact[] = [
  ...registry_props.flatMap((prop): FieldFact[] => {
    const { home, label, dict } = registry[prop]
    return home === 'student' || prop === 'id_type' ? [] : [{ field: prop, label, table: 'person', columns: columns_of[prop] ?? [prop], ...(dict === undefined ? {} : { dict }) }]
  }),
  { field: 'mobile', label: '手机号', table: 'person', columns: ['mobile'] },
  { field: 'qq', label: 'QQ号', table: 'person', columns: ['qq'] },
  { field: 'photo', label: '照片', table: 'person', columns: ['photo_file_key'] },
]

const staff_field = (field: string, label: string, dict?: string): FieldFact => ({ field: `staff_${field}`, label, table: 'staff', columns: [field], ...(dict === undefined ? {} : { dict }) })

const of_staff: readonly FieldFact[] = [
  { field: 'teacher_no', label: '工号', table: 'staff', columns: ['teacher_no'], unique: true },
  staff_field('kind', '人员类别', 'STAFF_KIND'),
  staff_field('join_month', '入职年月'),
  staff_field('work_month', '参加工作年月'),
  staff_field('bz', '编制', 'STAFF_BZ_K12'),
  staff_field('post', '岗位', 'STAFF_POST'),
  staff_field('employ', '聘用形式', 'EMPLOY_FORM'),
  staff_field('edu', '学历', 'EDU_LEVEL'),
  staff_field('degree', '学位', 'DEGREE'),
  staff_field('title', '职称', 'TITLE_K12'),
  staff_field('stage', '任教学段', 'TEACH_STAGE'),
  staff_field('subject', '任教学科', 'SUBJECT'),
  staff_field('cert', '教师资格证', 'TEACHER_CERT'),
  staff_field('mandarin', '普通话等级', 'MANDARIN'),
  staff_field('remark', '教职工备注'),
]

const of_parents: readonly FieldFact[] = [
  { field: 'parent_work', label: '工作单位', table: 'parent', columns: ['work'] },
  { field: 'parent_edu', label: '学历', table: 'parent', columns: ['edu'], dict: 'EDU_LEVEL' },
]

/** Every field that is chosen when two files become one, in the order in which they are shown. */
export const field_facts: readonly FieldFact[] = [
  ...of_everybody,
  ...of_pupils,
  { field: 'student_ext', label: '学生自定义字段', table: 'student', columns: ['ext'], kind: 'json' },
  ...of_staff,
  { field: 'staff_ext', label: '教职工自定义字段', table: 'staff', columns: ['ext'], kind: 'json' },
  ...of_parents,
]
