import type { Cells, Checked, Issue, SingleKey } from '@campus/jobs/server'
import { most_staff_depts } from '@campus/people/contract'
import { numberKey } from '@kit/contract/checks'
import { indexIdNo } from '../id-number.ts'
import { missingCustom, readCustomCells } from './custom.ts'
import { agreeWithIdNo, cardNoIssues, deriveFromIdNo, laterNotes, missingProps, readCells } from './read-cells.ts'
import type { Values } from './read-cells.ts'
import { staff_columns } from './staff.columns.ts'
import { findDept } from './staff.words.ts'
import type { DeptWord, StaffSheetWords } from './staff.words.ts'

/** One line of the staff sheet: codes instead of names. */
export type ParsedStaff = {
  values: Values
  id_idx: string | null
  /** the first one is the primary one; none when the cell is empty or wrong */
  depts: DeptWord[]
  /** required columns without a value; errors of somebody new, nothing to a known one */
  missing: Issue[]
}

const always_required: readonly string[] = staff_columns.flatMap(column => ('required' in column ? column.prop : []))
const taken_over = staff_columns.filter(({ prop }) => prop === 'card_no')
const roles_note = '导入不授予角色，请在角色管理中授予'

/** Checks one line of the staff sheet for itself (chapter 20 rules 12–16, §6). */
export function checkStaff(words: StaffSheetWords, cells: Cells): Checked<ParsedStaff> {
  const row = readCells(staff_columns, cells, words)
  const { values, errors, warnings } = row
  readCustomCells(words.custom, cells, row)
  errors.push(...agreeWithIdNo(values, values.id_no, values.id_type), ...cardNoIssues(values))
  warnings.push(...laterNotes(taken_over, values), ...(values.roles ? [{ prop: 'roles', msg: roles_note }] : []))
  const depts = readDepts(words, values.dept ?? '', errors)
  deriveFromIdNo(values)
  const id_idx = values.id_no ? indexIdNo(words.keys, values.id_no).toString('hex') : null
  const missing = [...missingProps(always_required, values, errors), ...missingCustom(words.custom, values, errors)]
  return { parsed: { values, id_idx, depts, missing }, errors, warnings }
}

function readDepts({ depts }: StaffSheetWords, text: string, errors: Issue[]): DeptWord[] {
  const names = text.split(/[；;]/).map(name => name.trim()).filter(name => name !== '')
  const readings = names.map(name => findDept(depts, name))
  const [wrong] = readings.flatMap(({ error }) => error ?? [])
  if (wrong !== undefined) errors.push({ prop: 'dept', msg: wrong })
  const found = readings.flatMap(reading => reading.found ?? [])
  if (new Set(found).size < found.length) errors.push({ prop: 'dept', msg: '同一部门不能重复' })
  else if (found.length > most_staff_depts) errors.push({ prop: 'dept', msg: `最多填写${most_staff_depts}个部门` })
  return wrong === undefined ? found : []
}

/** What only one line of the file may hold. */
export function staffKeys({ values, id_idx }: ParsedStaff): SingleKey[] {
  const again = (row_no: number) => `同一教职工重复出现在第${row_no}行`
  const keys: SingleKey[] = []
  if (values.teacher_no) keys.push({ prop: 'teacher_no', key: `no:${numberKey(values.teacher_no)}`, msg: again })
  if (values.mobile) keys.push({ prop: 'mobile', key: `mobile:${values.mobile}` })
  if (id_idx) keys.push({ prop: 'id_no', key: `id:${id_idx}`, msg: again })
  if (values.plate) keys.push({ prop: 'plate', key: `plate:${values.plate}` })
  return keys
}
