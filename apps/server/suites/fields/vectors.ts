import { vectorRows } from '../../testing/index.ts'
import type { VectorFile } from '../../testing/index.ts'
import { isFieldProp } from './field-domain.ts'
import type { FieldProp } from './field-domain.ts'

/** One row of a vector file as a field meets it: `message` '' = good. `why` where field and bare check differ. */
export type Vector = { at: string; prop: FieldProp; text: string; message: string; why?: string }
type Row = Record<string, string>

const files: readonly VectorFile[] = ['validation', 'id-card', 'mobile', 'email', 'ipv4', 'qq', 'plate']

const required = '必填项不能为空'
const no_text = 'a field that must be filled says so, whatever its kind'
const blank_end = 'blanks at the ends are dropped before a text is judged'
const folded = 'numbers of persons are folded before they are judged (people rule 13)'
const parted = 'blanks and dashes inside a mobile are dropped'
const no_such_day = 'the date part must be a day of the calendar (people rule 14)'

/** Rows where a field answers otherwise than the bare check of its text, by file and line. */
const otherwise: Record<string, { message: string; why: string }> = {
  'validation:138': { message: required, why: no_text },
  'mobile:31': { message: required, why: no_text },
  'email:24': { message: required, why: no_text },
  'ipv4:22': { message: required, why: no_text },
  'qq:16': { message: required, why: no_text },
  'plate:55': { message: required, why: no_text },
  'id-card:71': { message: required, why: no_text },
  'mobile:30': { message: '', why: blank_end },
  'ipv4:19': { message: '', why: blank_end },
  'mobile:29': { message: '', why: folded },
  'id-card:75': { message: '', why: folded },
  'mobile:26': { message: '', why: parted },
  'mobile:27': { message: '', why: parted },
  ...Object.fromEntries([53, 54, 55, 58, 77].map(line => [`id-card:${line}`, { message: '身份证号格式不正确', why: no_such_day }])),
}

/** Rules of validation-vectors.csv that no field of a sheet or draft has, and where they are judged. */
const elsewhere: Record<string, string> = {
  'login.account': 'the login page, before anything is sent',
  'login.captcha': 'the login page, before anything is sent',
  'login.password': 'the login page, before anything is sent',
  'login.roles': 'what the login page does with the answer',
  'login.menu': 'what the login page does with the answer',
  'default_pwd.new': 'dialog of the new password, whose least length the school sets',
  'change_pwd.old': 'dialog of the new password',
  'change_pwd.confirm': 'compares two inputs of a dialog',
  'change_pwd.submit': 'the whole dialog',
  'permission.marker': 'a mistake of a programmer, no sentence for users',
  'columns.hide_last': 'a choice of columns',
  'resource.download': 'a selection of rows',
  'resource.delete': 'a selection of rows',
  'resource.publish': 'a selection of rows',
  'resource.unpublish_place': 'a selection of rows',
  'resource.unpublish_teacher': 'a selection of rows',
  'device.pwd': 'the console of a terminal',
  'device.firmware': 'the name of an uploaded file',
  'identity.confirm': 'a choice of roles',
  'image.before_upload': 'a picture',
}

/** Rows of the files, those of no field, and the field's vectors: a resident number is met by both of its kinds. */
export function readVectors(): { rows: number; left_out: string[]; vectors: Vector[] } {
  const all = files.flatMap(file => vectorRows(file).map((row, at) => ({ file, row, at: `${file}:${at + 2}` })))
  const is_elsewhere = (row: Row) => (row.rule ?? '') in elsewhere
  return {
    rows: all.length,
    left_out: all.filter(({ row }) => is_elsewhere(row)).map(({ at }) => at),
    vectors: all.filter(({ row }) => !is_elsewhere(row)).flatMap(({ file, row, at }) => vectorsOf(file, row).map(vector => ({ at, ...vector, ...otherwise[at] }))),
  }
}

/** Lines of rows that are listed but in no file any more. */
export function staleNotes(): string[] {
  const { vectors } = readVectors()
  const rules = new Set(vectorRows('validation').map(row => row.rule))
  return [...Object.keys(otherwise).filter(at => !vectors.some(vector => vector.at === at)), ...Object.keys(elsewhere).filter(rule => !rules.has(rule))]
}

function vectorsOf(file: VectorFile, row: Row): Omit<Vector, 'at'>[] {
  const message = row.message === '(text not given)' ? '只能输入数字' : (row.message ?? '')
  switch (file) {
    case 'validation':
      return [{ prop: fieldOf(row), text: row.input ?? '', message }]
    case 'id-card':
      return [
        { prop: 'id_card', text: row.id_no ?? '', message: row.message_15_or_18 ?? '' },
        { prop: 'id_card_18', text: row.id_no ?? '', message: row.message_18_only ?? '' },
      ]
    case 'ipv4':
      return [{ prop: 'ipv4', text: row.ip ?? '', message }]
    default:
      return [{ prop: file, text: row[file] ?? '', message }]
  }
}

function fieldOf({ rule = '', mode = '' }: Row): FieldProp {
  const prop = rule.replace('field.', '') + (mode === '18_only' ? '_18' : '')
  if (!isFieldProp(prop)) throw new Error(`no field for rule ${rule}`)
  return prop
}
