import { SheetRefused } from './refusal.ts'

/** Rows are 1-based lines, columns 0-based; both ends inclusive. */
export interface CellRange {
  top: number
  left: number
  bottom: number
  right: number
}

/** Reads `B12` as line 12, column 1. */
export function readAddress(address: string): { row_no: number; column: number } {
  let column = 0
  let at = 0
  for (; at < address.length; at++) {
    const code = address.charCodeAt(at)
    if (code === 36) continue
    const letter = (code | 32) - 96
    if (code < 65 || letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  const row_no = Number(address.slice(at).replace('$', ''))
  if (column === 0 || column > 16_384 || !Number.isInteger(row_no) || row_no < 1) throw new SheetRefused('unreadable')
  return { row_no, column: column - 1 }
}

export function readRange(reference: string): CellRange {
  const [first = '', last = first] = reference.split(':')
  const from = readAddress(first)
  const to = readAddress(last)
  return { top: from.row_no, left: from.column, bottom: to.row_no, right: to.column }
}

/** Column letters of a 0-based column: 0 is A, 26 is AA. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}
