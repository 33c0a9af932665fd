import type { Cells, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { readCustom, shownCustom } from '@campus/people/contract'
import type { CustomType, ExtDraft } from '@campus/people/contract'
import { not_yours, storedValue } from '../field/ext.ts'
import type { LiveField } from '../field/ext.ts'
import { clear_word, missingProps, required_msg } from './read-cells.ts'
import type { ReadRow, Values } from './read-cells.ts'

const hints: Readonly<Record<CustomType, string>> = {
  text: '', number: '数字，最多四位小数', date: '如 20180512 或 2018-05-12', dict: '', multi: '可多选，用、分隔', mobile: '11位手机号', id_card: '身份证号', file: '',
}

function propOf({ field_code }: Pick<LiveField, 'field_code'>): string {
  return `ext.${field_code}`
}

/** The fields that a sheet can hold: a file is uploaded. */
export function sheetFields(fields: readonly LiveField[]): LiveField[] {
  return fields.filter(field => field.type !== 'file')
}

/**
 * The school's own fields as the last columns of a sheet; one that was filled before a field was added has no column of it.
 * A field that has the name of one of the sheet's `own` columns stands apart from it.
 */
export function customColumns(fields: readonly LiveField[], own: readonly { label: string }[]): TemplateColumn[] {
  return fields.map(field => ({
    prop: propOf(field),
    label: own.some(({ label }) => label === field.label) ? `${field.label}(自定义)` : field.label,
    required: field.required && field.may_edit,
    optional: true,
    options: field.type === 'dict' ? field.options : null,
    text: field.type !== 'number' && field.type !== 'dict',
    note: noteOf(field),
  }))
}

function noteOf({ type, options, max_len }: LiveField): string | undefined {
  if (type === 'multi') return `${hints.multi}：${(options ?? []).join('、')}`.slice(0, 200)
  if (type === 'text' && max_len !== null) return `最多${max_len}个字`
  return hints[type] || undefined
}

/** Reads the cells of these fields into the row by the rule of form and call; an empty cell says nothing, `[清空]` empties an optional one. */
export function readCustomCells(fields: readonly LiveField[], cells: Cells, { values, errors }: ReadRow): void {
  for (const field of fields) {
    const prop = propOf(field)
    const text = cells[prop] ?? ''
    if (text === '') continue
    if (text === clear_word) {
      if (field.required) errors.push({ prop, msg: required_msg })
      else values[prop] = null
      continue
    }
    const { value, error } = readCustom(field, text)
    if (error === undefined) values[prop] = value
    else errors.push({ prop, msg: error })
  }
}

/** Required fields without a value: errors of a newcomer. */
export function missingCustom(fields: readonly LiveField[], values: Values, errors: readonly Issue[]): Issue[] {
  return missingProps(fields.filter(field => field.required && field.may_edit).map(propOf), values, errors)
}

/** What the line changes of somebody's values, sensitive ones masked. */
export function customChanges(fields: readonly LiveField[], values: Values, known: Readonly<Record<string, string>>): Judgement['diff'] {
  const shown = (field: LiveField, value: string | null) => (value === null ? '' : shownCustom(field, value))
  return fields.flatMap(field => {
    const prop = propOf(field)
    const after = values[prop]
    const before = known[field.field_code] ?? null
    return after === undefined || after === before ? [] : [{ prop, before: shown(field, before), after: shown(field, after) }]
  })
}

/** Changes of fields that are kept to other role groups; `known` is empty for a newcomer. */
export function handIssues(fields: readonly LiveField[], values: Values, known: Readonly<Record<string, string>>): Issue[] {
  const others = fields.filter(field => !field.may_edit)
  return customChanges(others, values, known).map(({ prop }) => ({ prop, msg: not_yours }))
}

/** What the line says of the fields, by code, as it is stored. */
export function saidCustom(fields: readonly LiveField[], values: Values): ExtDraft {
  return Object.fromEntries(fields.flatMap(field => {
    const value = values[propOf(field)]
    return value === undefined ? [] : [[field.field_code, storedValue(field, value)]]
  }))
}

/** The name of a column, built-in or own. */
export function labelled(labels: ReadonlyMap<string, string>, fields: readonly LiveField[]): (prop: string) => string {
  const own = new Map(fields.map(field => [propOf(field), field.label]))
  return prop => labels.get(prop) ?? own.get(prop) ?? prop
}
