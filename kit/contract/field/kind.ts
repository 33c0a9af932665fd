import {
  checkAlnum1to50, checkDigits, checkEmail, checkIpv4, checkMobile, checkNoComma, checkNoSpecial, checkPassword6to20, checkPersonName, checkPlate, checkQq,
  checkRecognitionPassword, checkResidentId, checkStudentNo, checkUsername, dropInvisible, foldFullWidth, trimName,
} from '../checks/index.ts'
import type { Check, Verdict } from '../checks/index.ts'
import { dayOf, hasTime, isDayShaped, monthOf } from './day.ts'

/** How the text of one kind of field is stored, and what is wrong with a stored, filled one. */
type Form = { read: (text: string) => string; check: Check }

const bad_form = '格式不正确'
const first_day = '1900-01-01'
const longest_number = 50

const trim = (text: string) => dropInvisible(text).trim()
const fold = (text: string) => foldFullWidth(text).trim()
const foldUpper = (text: string) => fold(text).toUpperCase()
const asTyped = (text: string) => text

/**
 * Every kind of field, the only place where its rule stands for forms, calls and imports. Numbers of persons are folded before they
 * are judged (people rule 13), names never, passwords are taken as typed; of all others only blanks at the ends and invisible signs go
 * (platform rule V1).
 */
const forms = {
  name: { read: trimName, check: checkPersonName },
  text: { read: oneLine, check: value => (/[\p{Cc}\p{Cs}]/u.test(value) ? '不能包含特殊字符' : null) },
  no_special: { read: trim, check: checkNoSpecial },
  no_comma: { read: trim, check: checkNoComma },
  dict: { read: fold, check: value => (/^[0-9A-Za-z]{1,6}$/.test(value) ? null : '字典值不存在') },
  date: { read: text => dayOf(trim(text)) ?? fold(text), check: checkDate },
  month: { read: text => monthOf(trim(text)) ?? fold(text), check: shaped(/^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])$/) },
  /** administrative division, by code or name */
  division: { read: trim, check: () => null },
  mobile: { read: text => fold(text).replace(/[ -]/g, ''), check: checkMobile },
  email: { read: fold, check: checkEmail },
  /** kilometres up to 200 with two decimals */
  decimal: { read: readDecimal, check: shaped(/^(?:[0-9]|[1-9][0-9]|1[0-9]{2})(?:\.[0-9]{1,2})?$|^200$/) },
  postcode: { read: fold, check: shaped(/^[0-9]{6}$/) },
  student_no: { read: fold, check: checkStudentNo },
  /** number of the national pupil registry */
  roll_no: { read: foldUpper, check: shaped(/^[GJL][0-9]{17}[0-9X]$/) },
  /** number of any identity document; its form is judged beside the document */
  id_no: { read: foldUpper, check: value => ([...value].length > longest_number ? bad_form : null) },
  /** resident number */
  id_card: { read: foldUpper, check: value => checkResidentId(value) },
  /** resident number of 18 signs (registration and freshmen) */
  id_card_18: { read: foldUpper, check: value => checkResidentId(value, '18_only') },
  digits: { read: trim, check: checkDigits },
  alnum_1_50: { read: fold, check: checkAlnum1to50 },
  recognition_pwd: { read: asTyped, check: checkRecognitionPassword },
  ipv4: { read: trim, check: checkIpv4 },
  qq: { read: trim, check: checkQq },
  username: { read: trim, check: checkUsername },
  password_6_20: { read: asTyped, check: checkPassword6to20 },
  plate: { read: trim, check: checkPlate },
} as const satisfies Record<string, Form>

export type FieldKind = keyof typeof forms

/** What a text must be: its kind, and where it is stored the most signs it may have. */
export type FieldRule = { kind: FieldKind; max?: number }

/** A text as it is stored, before it is checked. */
export function normalise({ kind }: Pick<FieldRule, 'kind'>, text: string): string {
  return forms[kind].read(text)
}

/** What is wrong with a normalised, filled text for itself; null when nothing is. */
export function checkValue({ kind, max }: FieldRule, value: string): Verdict {
  // Signs are counted only where there may be too many: a text has at most as many as it has units.
  if (max !== undefined && value.length > max && [...value].length > max) return `超过${max}个字`
  return forms[kind].check(value)
}

/** What a filled text of a sheet or form means: the value to store, or why it is refused. */
export function readText(rule: FieldRule, text: string): { value: string; error?: undefined } | { value?: undefined; error: string } {
  const value = normalise(rule, text)
  const error = checkValue(rule, value)
  return error === null ? { value } : { error }
}

function checkDate(value: string): Verdict {
  const day = dayOf(value)
  if (day === null && hasTime(value)) return `只填日期，不能带时间：${value}`
  if (day === null) return isDayShaped(value) ? `日期不存在：${value}` : bad_form
  return day < first_day ? bad_form : null
}

/** Breaks of a line, as a cell may hold them, are blanks. */
function oneLine(text: string): string {
  return trim(text).replace(/[\t\n\r]+/g, ' ')
}

function readDecimal(text: string): string {
  const folded = fold(text)
  return /^[0-9]{1,3}(\.[0-9]{1,2})?$/.test(folded) ? String(Number(folded)) : folded
}

function shaped(pattern: RegExp): Check {
  return value => (pattern.test(value) ? null : bad_form)
}
