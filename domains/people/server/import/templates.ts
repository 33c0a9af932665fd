import { importTemplate } from '@campus/jobs/server'
import type { TemplateColumn } from '@campus/jobs/server'
import type { PeopleDb } from '../db.ts'
import { customColumns } from './custom.ts'
import type { Field } from './field.ts'
import { applyParents } from './parent.apply.ts'
import { parent_columns } from './parent.columns.ts'
import { judgeParent } from './parent.judge.ts'
import { checkParent, parentKeys } from './parent.parsed.ts'
import type { ParsedParent } from './parent.parsed.ts'
import { loadParents } from './parent.snapshot.ts'
import type { ParentSnapshot } from './parent.snapshot.ts'
import { applyStaff } from './staff.apply.ts'
import { staff_columns } from './staff.columns.ts'
import { judgeTeacher } from './staff.judge.ts'
import { checkStaff, staffKeys } from './staff.parsed.ts'
import type { ParsedStaff } from './staff.parsed.ts'
import { loadStaff } from './staff.snapshot.ts'
import type { StaffSnapshot } from './staff.snapshot.ts'
import { readStaffWords } from './staff.words.ts'
import type { StaffSheetWords } from './staff.words.ts'
import { applyStudents } from './student.apply.ts'
import { student_columns } from './student.columns.ts'
import { judgeStudent } from './student.judge.ts'
import { checkStudent, studentKeys, studentTally } from './student.parsed.ts'
import type { ParsedStudent } from './student.parsed.ts'
import { loadStudents } from './student.snapshot.ts'
import type { StudentSnapshot } from './student.snapshot.ts'
import { peopleUndo } from './undo.ts'
import { classOptions, readStudentWords, readWords } from './words.ts'
import type { PeopleWords, StudentWords } from './words.ts'

/** Permission codes of the imports; no call names them. */
export const import_codes = ['people.student.import', 'people.parent.import', 'people.staff.import'] as const
const [student_need, parent_need, staff_need] = import_codes

const read_as_text: ReadonlySet<Field['kind']> = new Set(['date', 'month', 'division', 'mobile', 'postcode', 'student_no', 'roll_no', 'id_no', 'alnum_1_50', 'qq', 'later'])

/** 学生信息导入: one line a pupil with up to two guardians. */
export const studentTemplate = importTemplate<PeopleDb, StudentWords, ParsedStudent, StudentSnapshot>({
  code: 'student',
  page: '/ParentsRecord',
  title: '学生信息导入',
  file_name: '学生导入模板.xlsx',
  sheet: '学生信息导入',
  notes: [
    '填写说明：红色列为新生必填；已在校学生按学籍号、证件号、学号依次匹配，空单元格表示不修改，选填列填写[清空]表示清空。',
    '日期填写 20180512 或 2018-05-12；证件号、手机号、学号请保持文本格式。家长手机号即家长账号，同一家长的多个孩子填写同一号码和姓名。',
    '已在校学生的班级与表中不同时不会调班；第二监护人选填。每次最多20000行，不支持公式。',
  ],
  need: student_need,
  words: step => readStudentWords(step),
  columns: words => [...student_columns.map(field => templateColumn(field, words)), ...customColumns(words.custom, student_columns)],
  check: (words, cells) => checkStudent(words, cells),
  keys: parsed => studentKeys(parsed),
  tally: parsed => studentTally(parsed),
  load: (step, rows) => loadStudents(step, rows),
  judge: (row, snapshot, counted) => judgeStudent(row, snapshot, counted),
  apply: (step, rows, snapshot) => applyStudents(step, rows, snapshot),
  undo: peopleUndo,
})

/** 家长信息导入: one line a guardian of one pupil. */
export const parentTemplate = importTemplate<PeopleDb, PeopleWords, ParsedParent, ParentSnapshot>({
  code: 'parent',
  page: '/ParentsRecord',
  title: '家长信息导入',
  file_name: '家长导入模板.xlsx',
  sheet: '家长信息导入',
  notes: ['填写说明：一行为一名学生的一位家长；一个手机号对应一位家长账号，同一号码不同姓名不能导入。空单元格表示不修改，选填列填写[清空]表示清空。'],
  need: parent_need,
  words: step => readWords(step, parent_columns),
  columns: words => parent_columns.map(field => templateColumn(field, words)),
  check: (words, cells) => checkParent(words, cells),
  keys: parsed => parentKeys(parsed),
  load: (step, rows) => loadParents(step, rows),
  judge: (row, snapshot) => judgeParent(row, snapshot),
  apply: (step, rows, snapshot) => applyParents(step, rows, snapshot),
  undo: peopleUndo,
})

/** 教职工信息导入: one line a member of staff. */
export const staffTemplate = importTemplate<PeopleDb, StaffSheetWords, ParsedStaff, StaffSnapshot>({
  code: 'teacher',
  page: '/TeachersRecord',
  title: '教职工信息导入',
  file_name: '教职工导入模板.xlsx',
  sheet: '教职工信息导入',
  notes: [
    '填写说明：红色列为新教职工必填；已在校教职工按工号、手机号依次匹配，空单元格表示不修改，选填列填写[清空]表示清空。',
    '部门填写全路径，多个部门用；分隔，第一个为主部门；已在校教职工的部门与状态不因导入改变。手机号即登录账号，与本校家长同号同名时合并为同一人。每次最多20000行，不支持公式。',
  ],
  need: staff_need,
  words: step => readStaffWords(step),
  columns: words => [...staff_columns.map(field => templateColumn(field, words)), ...customColumns(words.custom, staff_columns)],
  check: (words, cells) => checkStaff(words, cells),
  keys: parsed => staffKeys(parsed),
  load: (step, rows) => loadStaff(step, rows),
  judge: (row, snapshot) => judgeTeacher(row, snapshot),
  apply: (step, rows, snapshot) => applyStaff(step, rows, snapshot),
  undo: peopleUndo,
})

/** What drop-downs are made of; the staff sheet has no classes. */
type Choices = Pick<PeopleWords, 'codes'> & { classes?: PeopleWords['classes'] }

function templateColumn(field: Field, words: Choices): TemplateColumn {
  const { prop, label, kind, required = false, sample, note } = field
  return { prop, label, required, options: optionsOf(field, words), text: read_as_text.has(kind), sample, note }
}

function optionsOf({ kind, dict }: Field, { codes, classes = [] }: Choices): string[] | null {
  if (kind === 'grade') return classOptions(classes).grades
  if (kind === 'class') return classOptions(classes).names
  return dict === undefined ? null : [...(codes.get(dict)?.keys() ?? [])]
}
