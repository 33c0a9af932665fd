import { columnName } from './cell-range.ts'
import { attribute } from './xml-scanner.ts'
import { readDirectory } from './zip-directory.ts'
import { readPart } from './zip-part.ts'
import { replaceParts } from './zip-replace.ts'

const sheetPart = 'xl/worksheets/sheet1.xml'

/**
 * Gives whole columns of a written workbook the format that their cell in `row_no` has, so that cells nobody has touched yet
 * have it too. hucre formats cells only; formatting 20,000 empty cells for each column instead would make megabytes.
 */
export function formatWholeColumns(file: Buffer, columns: boolean[], row_no: number): Buffer {
  if (!columns.includes(true)) return file
  const entries = readDirectory(file)
  const sheet = entries.find(({ name }) => name === sheetPart)
  if (!sheet) throw new Error(`The written workbook has no ${sheetPart}`)
  const xml = readPart(file, sheet, sheet.inflated)
  const row = new RegExp(`<row [^>]*?r="${row_no}".*?</row>`, 's').exec(xml)?.[0] ?? ''
  const cells = [...row.matchAll(/<c ([^>]*)>/g)].map((found) => found[1] ?? '')
  const styleOf = new Map(cells.map((cell) => [attribute(cell, 'r'), attribute(cell, 's')]))
  const formatted = xml.replace(/<col min="(\d+)"/g, (tag, min: string) => {
    const style = columns[Number(min) - 1] ? styleOf.get(`${columnName(Number(min) - 1)}${row_no}`) : undefined
    return style ? `${tag} style="${style}"` : tag
  })
  return replaceParts(file, entries, new Map([[sheetPart, formatted]]))
}
