import type { Cells, Checked, Issue, SingleKey } from '@campus/jobs/server'
import { nameKey, numberKey } from '@kit/contract/checks'
import { indexIdNo } from '../id-number.ts'
import { missingCustom, readCustomCells } from './custom.ts'
import { agreeWithIdNo, cardNoIssues, deriveFromIdNo, laterNotes, missingProps, readCells } from './read-cells.ts'
import type { ReadRow, Values } from './read-cells.ts'
import { student_columns } from './student.columns.ts'
import { findClass } from './words.ts'
import type { ClassWord, PeopleWords, StudentWords } from './words.ts'

/** A guardian of a row; slot 1 is the first contact of a new pupil. */
export type ParsedGuardian = {
  slot: 1 | 2
  user_name: string
  mobile: string
  relation: string
  is_guardian: boolean
  id_no: string | null
  id_idx: string | null
  /** undefined = unchanged */
  work: string | null | undefined
}

/** One line of the pupil sheet: codes instead of names. */
export type ParsedStudent = {
  values: Values
  id_idx: string | null
  class: ClassWord | null
  guardians: ParsedGuardian[]
  /** required columns without a value; errors of a new pupil, nothing to a known one */
  missing: Issue[]
}

const always_required: readonly string[] = student_columns.flatMap(column => ('required' in column ? column.prop : []))
const guardian_props = { 1: ['p1_name', 'p1_relation', 'p1_mobile', 'p1_guardian'], 2: ['p2_name', 'p2_relation', 'p2_mobile', 'p2_guardian'] } as const

/** Checks one line of the pupil sheet for itself (chapter 20 rules 12–16, §6). */
export function checkStudent(words: StudentWords, cells: Cells): Checked<ParsedStudent> {
  const row = readCells(student_columns, cells, words)
  const { values, errors, warnings } = row
  readCustomCells(words.custom, cells, row)
  errors.push(...agreeWithIdNo(values, values.id_no, values.id_type), ...cardNoIssues(values))
  warnings.push(...laterNotes(student_columns, values))
  const found = readClass(words, values, errors)
  deriveFromIdNo(values)
  const guardians = [...readGuardian(words, 1, row), ...readGuardian(words, 2, row)]
  if (guardians.length === 2 && guardians[0]?.mobile === guardians[1]?.mobile) errors.push({ prop: 'p2_mobile', msg: '手机号已被占用' })
  const id_idx = values.id_no ? indexIdNo(words.keys, values.id_no).toString('hex') : null
  const missing = [...missingProps(always_required, values, errors), ...missingCustom(words.custom, values, errors)]
  return { parsed: { values, id_idx, class: found, guardians, missing }, errors, warnings }
}

/** What only one line of the file may hold. */
export function studentKeys({ values, id_idx }: ParsedStudent): SingleKey[] {
  const again = (row_no: number) => `同一学生重复出现在第${row_no}行`
  const keys: SingleKey[] = []
  if (values.student_no) keys.push({ prop: 'student_no', key: `no:${numberKey(values.student_no)}` })
  if (id_idx) keys.push({ prop: 'id_no', key: `id:${id_idx}`, msg: again })
  if (values.school_roll_no) keys.push({ prop: 'school_roll_no', key: `roll:${values.school_roll_no}`, msg: again })
  return keys
}

/** Counted over the file: pupils of a class, names under which a mobile stands. */
export function studentTally(parsed: ParsedStudent): string[] {
  const mobiles = parsed.guardians.flatMap(({ mobile, user_name }) => [mobileTally(mobile), mobileTally(mobile, user_name)])
  return parsed.class ? [classTally(parsed.class), ...mobiles] : mobiles
}

export function classTally({ dept_id }: ClassWord): string {
  return `class:${dept_id}`
}

export function mobileTally(mobile: string, user_name?: string): string {
  return user_name === undefined ? `mobile:${mobile}` : `mobile:${mobile}:${nameKey(user_name)}`
}

function readClass(words: PeopleWords, values: Values, errors: Issue[]): ClassWord | null {
  if (!values.class_name) return null
  const { found, error } = findClass(words.classes, values.grade ?? '', values.class_name)
  if (error) errors.push(error)
  return found ?? null
}

/** A guardian is told by the mobile; a row that says anything of one must say the whole. */
function readGuardian(words: PeopleWords, slot: 1 | 2, { values, errors }: ReadRow): ParsedGuardian[] {
  const prefix = `p${slot}_`
  const said = student_columns.filter(({ prop }) => prop.startsWith(prefix) && values[prop])
  if (said.length === 0) return []
  const missing = missingProps(guardian_props[slot], values, errors)
  errors.push(...missing)
  const [user_name, relation, mobile, guardian] = guardian_props[slot].map(prop => values[prop])
  if (!user_name || !relation || !mobile || !guardian) return []
  const id_no = (slot === 1 ? values.p1_id_no : null) ?? null
  return [{
    slot,
    user_name,
    mobile,
    relation,
    is_guardian: guardian === '1',
    id_no,
    id_idx: id_no ? indexIdNo(words.keys, id_no).toString('hex') : null,
    work: slot === 1 ? values.p1_work : undefined,
  }]
}
