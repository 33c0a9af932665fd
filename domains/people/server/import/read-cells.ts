import type { Cells, Issue } from '@campus/jobs/server'
import { parseIdCard } from '@kit/contract/checks'
import { readField } from './field.ts'
import type { Field, FieldWords } from './field.ts'

/** Values of a row by prop: null = cleared by `[清空]`; absent = the cell is empty and nothing changes. */
export type Values = Partial<Record<string, string | null>>
export type ReadRow = { values: Values; errors: Issue[]; warnings: Issue[] }

/** What a cell says to empty an optional field. */
export const clear_word = '[清空]'
export const required_msg = '必填项不能为空'

/** Reads the cells of these fields; every field speaks for itself, all its errors are collected. */
export function readCells(fields: readonly Field[], cells: Cells, words: FieldWords): ReadRow {
  const row: ReadRow = { values: {}, errors: [], warnings: [] }
  for (const field of fields) readCell(field, cells, words, row)
  return row
}

function readCell(field: Field, cells: Cells, words: FieldWords, row: ReadRow): void {
  const text = cells[field.prop] ?? ''
  if (text === '') return
  if (text === clear_word) {
    if (field.required) row.errors.push({ prop: field.prop, msg: required_msg })
    else row.values[field.prop] = null
    return
  }
  // The document of the row is that of its own person; a guardian's number beside it is a resident's.
  const reading = readField(field, text, words, field.prop === 'id_no' ? (row.values.id_type ?? undefined) : undefined)
  if (reading.error !== undefined) {
    row.errors.push({ prop: field.prop, msg: reading.error })
    return
  }
  row.values[field.prop] = reading.value
  if (reading.warning !== undefined) row.warnings.push({ prop: field.prop, msg: reading.warning })
}

/** 必填项不能为空 for every one of these props that has no value and is not already refused. */
export function missingProps(props: readonly string[], values: Values, errors: readonly Issue[]): Issue[] {
  return props.filter(prop => !values[prop] && !errors.some(issue => issue.prop === prop)).map(prop => ({ prop, msg: required_msg }))
}

/**
 * Compares sex and birthday with the resident number beside them; what the row leaves empty is taken from the number
 * (chapter 20 rule 14). Other documents say nothing.
 */
export function agreeWithIdNo(values: Values, id_no: string | null | undefined, id_type: string | null | undefined): Issue[] {
  const card = id_no && (id_type ?? '1') === '1' ? parseIdCard(id_no) : null
  if (!card) return []
  const issues: Issue[] = []
  if (values.birthday && card.birthday && values.birthday !== card.birthday) issues.push({ prop: 'birthday', msg: '出生日期与身份证号不一致' })
  if (values.sex && values.sex !== card.sex) issues.push({ prop: 'sex', msg: '性别与身份证号不一致' })
  return issues
}

/** Sex and birthday that a row leaves empty are those of its resident number (chapter 20 rule 14). */
export function deriveFromIdNo(values: Values): void {
  const card = values.id_no && (values.id_type ?? '1') === '1' ? parseIdCard(values.id_no) : null
  if (!card) return
  values.sex ??= card.sex
  values.birthday ??= card.birthday
}

/** A note for every filled column that another part of the product will take over from the batch. */
export function laterNotes(fields: readonly Field[], values: Values): Issue[] {
  return fields.filter(({ kind, prop }) => kind === 'later' && values[prop]).map(({ prop, label }) => ({ prop, msg: `${label}已随批次保留，待相应功能启用后处理` }))
}

/** Refuses a card number of another form: 8 or 10 digits, or 8 hexadecimal signs. */
export function cardNoIssues(values: Values): Issue[] {
  const card_no = values.card_no
  return card_no && !/^(?:[0-9]{10}|[0-9A-Fa-f]{8})$/.test(card_no) ? [{ prop: 'card_no', msg: '格式不正确' }] : []
}
