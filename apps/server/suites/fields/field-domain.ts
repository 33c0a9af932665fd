import { join } from 'node:path'
import { importTemplate, importTemplatePort, missingCells } from '@campus/jobs/server'
import type { AnyTemplate, TemplateColumn } from '@campus/jobs/server'
import { api, filled, post, readText } from '@kit/contract'
import type { FieldRule } from '@kit/contract'
import { implementFor } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { z } from 'zod'

/** One field of every kind that the shared checks of the product name (platform rule V1). */
const fields = {
  no_special: { kind: 'no_special' },
  no_comma: { kind: 'no_comma' },
  student_no: { kind: 'student_no' },
  mobile: { kind: 'mobile' },
  id_card: { kind: 'id_card' },
  id_card_18: { kind: 'id_card_18' },
  digits: { kind: 'digits' },
  alnum_1_50: { kind: 'alnum_1_50' },
  recognition_pwd: { kind: 'recognition_pwd' },
  ipv4: { kind: 'ipv4' },
  qq: { kind: 'qq' },
  email: { kind: 'email' },
  username: { kind: 'username' },
  password_6_20: { kind: 'password_6_20' },
  plate: { kind: 'plate' },
} as const satisfies Record<string, FieldRule>
export type FieldProp = keyof typeof fields

export function isFieldProp(prop: string): prop is FieldProp {
  return prop in fields
}

const rule_of = new Map<string, FieldRule>(Object.entries(fields))
const shape = Object.fromEntries([...rule_of].map(([prop, rule]) => [prop, filled(rule).optional()]))
const edit_code = 'fixture.field.edit'
const import_code = 'fixture.field.import'
/** What somebody needs who calls and imports. */
export const field_codes = [edit_code, import_code]

/** The rules as a form takes them: one schema a field. */
export const form_rules: ReadonlyMap<string, z.ZodType> = new Map([...rule_of].map(([prop, rule]) => [prop, filled(rule)]))

/** A call whose body has every field. */
export const fieldApi = api('core', 'fixture.field', {
  save: post('fixture/field', { body: z.strictObject(shape), reply: z.object({}), need: edit_code }),
})

/** First column of the sheet: the field that this line must fill. */
export const asked_column: TemplateColumn = { label: '必填', prop: 'asked', required: true, options: null, text: true }
/** A column a field; none is always required. */
export const columns: TemplateColumn[] = Object.keys(fields).map(prop => ({ label: prop, prop, required: false, options: null, text: true }))

const template: AnyTemplate = importTemplate<Record<never, never>, null, true, null>({
  code: 'every_field',
  title: '字段导入',
  file_name: '字段导入模板.xlsx',
  sheet: '字段',
  notes: ['每行填写一个字段'],
  need: import_code,
  words: async () => null,
  columns: () => [asked_column, ...columns],
  check(_words, cells) {
    const readings = columns.filter(({ prop }) => cells[prop]).map(({ prop }) => ({ prop, msg: readText(rule_of.get(prop) ?? { kind: 'text' }, cells[prop] ?? '').error }))
    const asked = columns.filter(({ prop }) => prop === cells.asked).map(column => ({ ...column, required: true }))
    return { parsed: true, errors: [...missingCells(asked, cells), ...readings.flatMap(({ prop, msg }) => (msg === undefined ? [] : [{ prop, msg }]))], warnings: [] }
  },
  keys: () => [],
  load: async () => null,
  judge: () => ({ verdict: 'new', target_id: null, diff: [], errors: [], warnings: [] }),
  apply: async () => [],
})

/** A domain of nothing but these fields, composed beside the product's own. It has no tables. */
export const fieldDomain: DomainServer = {
  name: 'fixture',
  migrations: join(import.meta.dirname),
  routes: implementFor<Record<never, never>>()(fieldApi, { save: async () => ({}) }),
  codes: [import_code],
  compose: ({ app }) => importTemplatePort.fill(app, template),
}
