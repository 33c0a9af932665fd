import { checkIdNo } from '@campus/people/contract'
import { normalise, readText } from '@kit/contract'
import type { FieldKind } from '@kit/contract'
import { foldFullWidth, maskIdNo, maskMobile, warnResidentId } from '@kit/contract/checks'
import type { Divisions } from './divisions.ts'

/** One column of a template: what it is called, how its text is read. */
export type Field = {
  prop: string
  label: string
  kind: FieldKind | 'grade' | 'class' | 'dept' | 'later'
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

const resident_card = '1'

/** Reads a filled cell. `id_type` is the code of the identity document in the same row, where there is one. */
export function readField({ kind, max, dict = '' }: Field, text: string, words: FieldWords, id_type?: string): Reading {
  switch (kind) {
    case 'grade':
    case 'class':
    case 'dept':
    case 'later':
      return { value: text }
    case 'dict':
      return known(words.codes.get(dict)?.get(text))
    case 'division':
      return readDivision(text, words.divisions)
    case 'date':
      return notLater(readText({ kind }, text), words.today)
    case 'id_no':
      return readIdNo(text, id_type, words.today)
    default:
      return readText({ kind, max }, text)
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

function known(code: string | undefined): Reading {
  return code === undefined ? { error: '字典值不存在' } : { value: code }
}

function notLater(reading: Reading, today: string): Reading {
  return reading.value !== undefined && reading.value > today ? { error: '格式不正确' } : reading
}

function readDivision(text: string, { names, codes }: Divisions): Reading {
  const folded = foldFullWidth(text)
  return known(names.has(folded) ? folded : codes.get(text.replaceAll(' ', '')))
}

/** Without a document in the row it is a resident number (chapter 20 rule 14). */
function readIdNo(text: string, id_type = resident_card, today: string): Reading {
  const value = normalise({ kind: 'id_no' }, text)
  const error = checkIdNo(value, id_type, today)
  if (error !== null) return { error }
  return id_type === resident_card ? { value, warning: warnResidentId(value) ?? undefined } : { value }
}
