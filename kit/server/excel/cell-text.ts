import { isWellFormedText } from '@kit/contract/checks'
import { emptyCell } from './cell.ts'
import type { Cell } from './cell.ts'
import { dateText, isoDateText } from './date-text.ts'
import { generalFormat, losesDigits, numberText } from './number-format.ts'
import type { CellFormat } from './number-format.ts'
import { unquoteText } from './quoting.ts'
import { SheetRefused } from './refusal.ts'
import type { ShowValue } from './shown-text.ts'

/** A cell as it stands in the sheet's XML. */
export interface RawCell {
  type: string
  style: number
  value: string
  inline: string
  formula: boolean
}

export interface CellContext {
  strings: string[]
  formats: CellFormat[]
  show: ShowValue
  date_1904: boolean
}

/** Turns a raw cell into its text and kind. An index outside the shared texts means a broken file; text that no store gives back as it was is refused. */
export function readCell(raw: RawCell, context: CellContext): Cell {
  const cell = readValue(raw, context)
  if (!isWellFormedText(cell.text)) throw new SheetRefused('bad_text')
  if (raw.formula && cell.kind !== 'error') return { text: cell.text, kind: 'formula' }
  return cell.text === '' && cell.kind !== 'unsure' ? emptyCell : cell
}

function readValue(raw: RawCell, context: CellContext): Cell {
  switch (raw.type) {
    case 's':
      return readText(sharedText(raw.value, context.strings), raw, context)
    case 'inlineStr':
      return readText(unescapeText(raw.inline), raw, context)
    case 'str':
      return readText(unescapeText(raw.value), raw, context)
    case 'b':
      return { text: raw.value === '' ? '' : raw.value === '1' || raw.value === 'true' ? 'TRUE' : 'FALSE', kind: 'bool' }
    case 'e':
      return { text: raw.value, kind: 'error' }
    case 'd':
      return { text: isoDateText(raw.value) ?? raw.value, kind: 'date' }
    default:
      return readNumber(raw, context)
  }
}

function readText(written: string, { style }: RawCell, { formats, show }: CellContext): Cell {
  const text = unquoteText(written)
  const format = formats[style]
  if (text === '' || format === undefined || format.text === 'plain') return { text, kind: 'text' }
  const shown = show(format.code, text)
  return shown === undefined ? { text, kind: 'unsure' } : { text: shown, kind: 'text' }
}

function readNumber(raw: RawCell, { formats, show, date_1904 }: CellContext): Cell {
  if (raw.value.trim() === '') return emptyCell
  const value = Number(raw.value)
  if (!Number.isFinite(value)) throw new SheetRefused('unreadable')
  const { number, code } = formats[raw.style] ?? generalFormat
  if (number === 'plain' || (number === 'code' && losesDigits(value))) return { text: numberText(value), kind: 'number' }
  const shown = number === 'code' ? show(code, value) : dateText(value, number, date_1904)
  if (shown === undefined) return { text: numberText(value), kind: 'unsure' }
  return { text: shown, kind: number === 'code' ? 'number' : 'date' }
}

function sharedText(index: string, strings: string[]): string {
  if (index === '') return ''
  const text = strings[Number(index)]
  if (text === undefined) throw new SheetRefused('unreadable')
  return text
}

/** Office writes signs that XML cannot carry as `_x000D_`, and a literal `_x000D_` as `_x005F_x000D_`. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
