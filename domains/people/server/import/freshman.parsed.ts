import type { Cells, Checked, SingleKey } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import { numberErrors } from '../freshmen/apply.rules.ts'
import type { FieldWords } from './field.ts'
import { freshman_columns } from './freshman.columns.ts'
import { deriveFromIdNo, missingProps, readCells } from './read-cells.ts'

/** One line of the sheet of freshmen; `values` are the answers that have no column of their own. */
export type ParsedFreshman = {
  stage: string
  user_name: string
  sex: string
  id_type: string
  id_no: string
  birthday: string | null
  guardian: string
  guardian_mobile: string
  values: Record<string, string>
}

const required = freshman_columns.filter(field => 'required' in field).map(({ prop }) => prop)
const further = ['hukou_division', 'from_school', 'board'] as const

/** Checks one line for itself (chapter 20 rules 12, 14, §6). */
export function checkFreshman(words: FieldWords, cells: Cells): Checked<ParsedFreshman> {
  const { values, errors, warnings } = readCells(freshman_columns, cells, words)
  errors.push(...missingProps(required, values, errors), ...numberErrors(values))
  deriveFromIdNo(values)
  const { stage, user_name, sex, id_type, id_no, birthday, guardian, guardian_mobile } = values
  if (!stage || !user_name || !id_type || !id_no || errors.some(({ prop }) => prop === 'id_no')) return { parsed: null, errors, warnings }
  const rest = Object.fromEntries(further.flatMap(prop => (values[prop] ? [[prop, values[prop]] as const] : [])))
  const parsed = { stage, user_name, sex: sex ?? '0', id_type, id_no, birthday: birthday ?? null, guardian: guardian ?? '', guardian_mobile: guardian_mobile ?? '', values: rest }
  return { parsed, errors, warnings }
}

/** A child stands once in a file, whatever it applies for. */
export function freshmanKeys({ id_no }: ParsedFreshman): SingleKey[] {
  return [{ prop: 'id_no', key: `id ${id_no.toUpperCase()}`, msg: row_no => `${peopleErrors.applyDup.msg}（与第${row_no}行重复）` }]
}
