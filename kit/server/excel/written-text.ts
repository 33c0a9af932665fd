import { quoteText } from './quoting.ts'

const maxCellText = 32_767

/** Text as a cell value that no spreadsheet runs as a formula; `readSheet` gives it back unchanged. */
export function writtenText(text: string): string {
  return plainText(quoteText(text))
}

/**
 * Text without the formula quote, for labels that must match again. Leaves out what XML cannot carry, keeps a literal
 * `_x000D_` literal, and cuts at the 32,767 signs that a cell can hold.
 */
export function plainText(text: string): string {
  const legal = text.toWellFormed().replace(/[\uFFFE\uFFFF]/g, '')
  return legal.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').slice(0, maxCellText).toWellFormed()
}

/** Room that a text takes in a column, in digits: Chinese signs count twice. */
export function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += sign > '\u00ff' ? 2 : 1
  return width
}
