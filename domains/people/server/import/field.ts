import {
  checkAlnum1to50, checkEmail, checkMobile, checkPersonName, checkResidentId, checkStudentNo, foldFullWidth, maskIdNo, maskMobile, trimName, warnResidentId,
} from '@kit/contract/checks'
import { isDay } from '../day.ts'
import type { Divisions } from './divisions.ts'

/** One column of a template: what it is called, how its text is read. */
export type Field = {
  prop: string
  label: string
  kind: 'name' | 'text' | 'dict' | 'date' | 'month' | 'division' | 'mobile' | 'email' | 'decimal' | 'postcode' | 'student_no' | 'roll_no' | 'id_no' | 'grade' | 'class' | 'later'
  required?: boolean
  /** dictionary whose names stand in the sheet */
  dict?: string
  max?: number
  sample?: string
  note?: string
}

/** Names and codes of the dictionaries, today, and the divisions: what reading a cell depends on. */
export type FieldWords = {
  today: string
  /** type → name → code */
  codes: ReadonlyMap<string, ReadonlyMap<string, string>>
  divisions: Divisions
}

/** What a text means: the value to store, or why it is refused; `warning` wants a second look. */
export type Reading = { value: string; error?: undefined; warning?: string } | { value?: undefined; error: string }

const first_birthday = '1900-01-01'
const id_max = 30
const email_max = 254

/** Reads a filled cell. `id_type` is the code of the identity document in the same row, where there is one. */
export function readField(field: Field, text: string, words: FieldWords, id_type?: string): Reading {
  switch (field.kind) {
    case 'name':
      return checked(trimName(text), checkPersonName)
    case 'text':
      return [...text].length > (field.max ?? Infinity) ? { error: `超过${field.max}个字` } : { value: text }
    case 'dict':
      return known(words.codes.get(field.dict ?? '')?.get(text))
    case 'date':
      return readDate(text, words.today)
    case 'month':
      return readMonth(text)
    case 'division':
      return readDivision(text, words.divisions)
    case 'mobile':
      return checked(foldFullWidth(text).replace(/[ -]/g, ''), checkMobile)
    case 'email':
      return text.length > email_max ? { error: `超过${email_max}个字` } : checked(foldFullWidth(text), checkEmail)
    case 'decimal':
      return readDistance(foldFullWidth(text))
    case 'postcode':
      return shaped(foldFullWidth(text), /^[0-9]{6}$/)
    case 'student_no':
      return checked(foldFullWidth(text), checkStudentNo)
    case 'roll_no':
      return shaped(foldFullWidth(text).toUpperCase(), /^[GJL][0-9]{17}[0-9X]$/)
    case 'id_no':
      return readIdNo(text, id_type, words.today)
    case 'grade':
    case 'class':
    case 'later':
      return { value: text }
  }
}

/** A value as it may be shown beside a change: numbers and addresses of persons masked. */
export function shownValue(prop: string, value: string, name: string | undefined): string {
  if (value === '') return ''
  if (prop.endsWith('id_no') || prop === 'school_roll_no') return maskIdNo(value)
  if (prop.endsWith('mobile') || prop === 'tel') return maskMobile(value)
  if (prop.endsWith('address')) return `${[...value].slice(0, 6).join('')}****`
  return name ?? value
}

function checked(value: string, check: (value: string) => string | null): Reading {
  const error = check(value)
  return error === null ? { value } : { error }
}

function known(code: string | undefined): Reading {
  return code === undefined ? { error: '字典值不存在' } : { value: code }
}

function shaped(value: string, pattern: RegExp): Reading {
  return pattern.test(value) ? { value } : { error: '格式不正确' }
}

/** `20180512`, `2018-05-12`, `2018/5/12`. */
function readDate(text: string, today: string): Reading {
  const folded = foldFullWidth(text)
  const found = /^(\d{4})(\d{2})(\d{2})$/.exec(folded) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(folded)
  if (!found) return { error: '格式不正确' }
  const [, year = '', month = '', day = ''] = found
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDay(value)) return { error: `日期不存在：${text}` }
  return value < first_birthday || value > today ? { error: '格式不正确' } : { value }
}

function readMonth(text: string): Reading {
  const value = foldFullWidth(text).replace(/^(\d{4})[-/.](\d{1,2})$/, (_all, year: string, month: string) => year + month.padStart(2, '0'))
  return shaped(value, /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])$/)
}

function readDivision(text: string, { names, codes }: Divisions): Reading {
  const folded = foldFullWidth(text)
  return known(names.has(folded) ? folded : codes.get(text.replaceAll(' ', '')))
}

function readDistance(text: string): Reading {
  if (!/^[0-9]{1,3}(\.[0-9]{1,2})?$/.test(text) || Number(text) > 200) return { error: '格式不正确' }
  return { value: String(Number(text)) }
}

/** Chapter 20 rule 14: a resident number has its form; every other document 1–30 letters and digits. */
function readIdNo(text: string, id_type: string | undefined, today: string): Reading {
  const value = foldFullWidth(text).toUpperCase()
  if (id_type !== undefined && id_type !== '1') return value.length > id_max ? { error: `超过${id_max}个字` } : checked(value, checkAlnum1to50)
  const error = checkResidentId(value, '15_or_18', today)
  return error === null ? { value, warning: warnResidentId(value) ?? undefined } : { error }
}
