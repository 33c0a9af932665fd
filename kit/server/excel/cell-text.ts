import { isWellFormedText } from '@kit/contract/checks'
import { emptyCell } from './cell.ts'
import type { Cell } from './cell.ts'
import { dateText, numberText } from './number-format.ts'
import type { NumberFormat } from './number-format.ts'
import { unquoteText } from './quoting.ts'
import { SheetRefused } from './refusal.ts'

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
  formats: NumberFormat[]
  date_1904: boolean
}

/** Turns a raw cell into its text and kind. An index outside the shared texts means a broken file; text that no store gives back as it was is refused. */
export function readCell(raw: RawCell, context: CellContext): Cell {
  const cell = readValue(raw, context)
  if (!isWellFormedText(cell.text)) throw new SheetRefused('bad_text')
  if (raw.formula) return { text: cell.text, kind: 'formula' }
  return cell.text === '' ? emptyCell : cell
}

function readValue(raw: RawCell, context: CellContext): Cell {
  switch (raw.type) {
    case 's':
      return { text: unquoteText(sharedText(raw.value, context.strings)), kind: 'text' }
    case 'inlineStr':
      return { text: unquoteText(unescapeText(raw.inline)), kind: 'text' }
    case 'str':
      return { text: unquoteText(unescapeText(raw.value)), kind: 'text' }
    case 'b':
      return { text: raw.value === '' ? '' : raw.value === '1' || raw.value === 'true' ? 'TRUE' : 'FALSE', kind: 'bool' }
    case 'e':
      return { text: raw.value, kind: 'text' }
    case 'd':
      return { text: raw.value.replace('T00:00:00', '').replace('T', ' '), kind: 'date' }
    default:
      return readNumber(raw, context)
  }
}

function readNumber(raw: RawCell, { formats, date_1904 }: CellContext): Cell {
  if (raw.value.trim() === '') return emptyCell
  const value = Number(raw.value)
  if (!Number.isFinite(value)) throw new SheetRefused('unreadable')
  const format = formats[raw.style] ?? 'plain'
  const date = format === 'date' || format === 'time' ? dateText(value, format, date_1904) : undefined
  return date === undefined ? { text: numberText(value, format), kind: 'number' } : { text: date, kind: 'date' }
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
