import { readText } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { missingCells } from '@kit/server/excel'
import type { Cells, Checked, ImportColumn, Issue, SingleKey } from '@kit/server/excel'

/** One line of the sheet. `dept_path` '' = the person's own department; of the others undefined = unchanged, null = cleared. */
export type ParsedMember = {
  role_name: string
  user_no: string
  user_name: string
  dept_path: string
  valid_from: string | undefined
  valid_to: string | null | undefined
  reason: string | null | undefined
}

/** What a cell says to empty an optional field. */
const clear_word = '[清空]'
const longest_reason = 100

/** Columns of the template; the roles are offered in a list. */
export function memberColumns(role_names: readonly string[]): ImportColumn[] {
  const plain = { required: false, options: null, text: true }
  return [
    { ...plain, prop: 'role_name', label: '角色名称', required: true, options: [...role_names], sample: role_names[0] },
    { ...plain, prop: 'user_no', label: '人员编号', required: true, sample: 'T2019001' },
    { ...plain, prop: 'user_name', label: '姓名', required: true, sample: '王芳' },
    { ...plain, prop: 'dept_path', label: '任职部门', note: '部门路径，如 小学部/一年级；不填为本人所在部门' },
    { ...plain, prop: 'valid_from', label: '开始日期', note: '不填为立即开始', sample: '' },
    { ...plain, prop: 'valid_to', label: '结束日期', note: '当天仍有效；不填为长期，已有成员不填为不修改', sample: '' },
    { ...plain, prop: 'reason', label: '备注', note: `最多${longest_reason}个字` },
  ]
}

/** Checks one line for itself: required cells, days, lengths. */
export function checkMember(columns: readonly ImportColumn[], cells: Cells): Checked<ParsedMember> {
  const errors = missingCells(columns, cells)
  const { role_name = '', user_no = '', user_name = '', dept_path = '' } = cells
  const valid_from = dayOf('valid_from', cells, errors)
  const valid_to = cells.valid_to === clear_word ? null : dayOf('valid_to', cells, errors)
  if (valid_from && valid_to && valid_to < valid_from) errors.push({ prop: 'valid_to', msg: '结束日期不能早于开始日期' })
  const reason = cells.reason === clear_word ? null : cells.reason || undefined
  if (reason && [...reason].length > longest_reason) errors.push({ prop: 'reason', msg: `超过${longest_reason}个字` })
  const is_whole = role_name !== '' && user_no !== '' && user_name !== ''
  const parsed = { role_name, user_no: foldFullWidth(user_no), user_name, dept_path: plainPath(dept_path), valid_from, valid_to, reason }
  return { parsed: is_whole ? parsed : null, errors, warnings: [] }
}

function dayOf(prop: 'valid_from' | 'valid_to', cells: Cells, errors: Issue[]): string | undefined {
  const text = cells[prop] ?? ''
  if (text === '') return undefined
  const { value, error } = readText({ kind: 'date' }, text)
  if (error !== undefined) errors.push({ prop, msg: error })
  return value
}

function plainPath(text: string): string {
  if (text === clear_word) return ''
  return text.split(/[/／]/).map(part => part.trim()).filter(part => part !== '').join('/')
}

/** A person stands once under a role and department. */
export function memberKeys({ role_name, user_no, dept_path }: ParsedMember): SingleKey[] {
  return [{ prop: 'user_no', key: [role_name, user_no, dept_path].join('\n') }]
}
