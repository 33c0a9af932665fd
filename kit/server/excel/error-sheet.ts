import type { CellStyle } from 'hucre/xlsx'
import { columnName } from './cell-range.ts'
import { buildTemplate } from './template.ts'
import type { TemplateColumn, TemplateInput } from './template.ts'
import { writtenText } from './written-text.ts'
import { attribute } from './xml-scanner.ts'
import { readDirectory } from './zip-directory.ts'
import { readPart } from './zip-part.ts'
import { replaceParts } from './zip-replace.ts'

export interface ErrorSheetRow {
  /** Sheet of the row, where the file had several. */
  sheet: string | null
  /** Line of the uploaded sheet. */
  line: number
  /** The uploaded texts, in the order of the template's columns. */
  cells: string[]
  /** Labels of the wrong columns. */
  fields: string[]
  reasons: string[]
}

export interface ErrorSheetInput {
  template: TemplateInput
  rows: ErrorSheetRow[]
}

const resultColumns: TemplateColumn[] = [
  { label: '行号', prop: 'row_no', required: false, width: 8 },
  { label: '错误字段', prop: 'error_fields', required: false, width: 24 },
  { label: '错误原因', prop: 'error_reasons', required: false, width: 40 },
]
const wrongStyle: CellStyle = { fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFC7CE' } } }
const sheetPart = 'xl/worksheets/sheet1.xml'

/**
 * Builds the workbook of `writeErrorSheet`. Runs inside the sheet worker.
 * hucre needs more than 512 MB for 20,000 rows of 57 columns; so it writes the template with two model rows, one as it should
 * be and one all wrong, and the rows are set into its XML with the styles of these two.
 */
export async function buildErrorSheet({ template, rows }: ErrorSheetInput): Promise<Uint8Array> {
  const columns = [...template.columns, ...resultColumns]
  const wrong = new Map(columns.map((_, column) => [`1,${column}`, wrongStyle]))
  const model = await buildTemplate({ ...template, columns }, { values: [[], []], styles: wrong })
  const entries = readDirectory(model)
  const sheet = entries.find(({ name }) => name === sheetPart)
  if (!sheet) throw new Error(`The written workbook has no ${sheetPart}`)

  const xml = readPart(model, sheet)
  const styles = styleIndexes(xml)
  const [before = '', after = ''] = xml.replace(/<row [^>]*?r="[34]".*?<\/row>/gs, '').split('</sheetData>')
  const labels = template.columns.map(({ label }) => label)
  const lines = rows.map((row, index) => Buffer.from(rowXml(row, labels, index + 3, styles)))
  const filled = Buffer.concat([Buffer.from(before), ...lines, Buffer.from(`</sheetData>${after}`)])
  return replaceParts(model, entries, new Map([[sheetPart, filled]]))
}

/** Style index of each model cell by its address. */
function styleIndexes(xml: string): Map<string, string> {
  const cells = [...xml.matchAll(/<c ([^>]*)>/g)].map((found) => found[1] ?? '')
  return new Map(cells.map((cell) => [attribute(cell, 'r') ?? '', attribute(cell, 's') ?? '0']))
}

function rowXml(row: ErrorSheetRow, labels: string[], row_no: number, styles: Map<string, string>): string {
  const cells = labels.map((label, column) => {
    const name = columnName(column)
    const model = row.fields.includes(label) ? `${name}4` : `${name}3`
    return textCell(`${name}${row_no}`, row.cells[column] ?? '', styles.get(model) ?? '0')
  })
  const [place = '', fields = '', reasons = ''] = resultColumns.map((_, index) => `${columnName(labels.length + index)}${row_no}`)
  const number = row.sheet === null ? `<c r="${place}"><v>${row.line}</v></c>` : textCell(place, `${row.sheet} ${row.line}`, '0')
  cells.push(number, textCell(fields, row.fields.join('；'), '0'), textCell(reasons, row.reasons.join('；'), '0'))
  return `<row r="${row_no}">${cells.join('')}</row>`
}

function textCell(address: string, text: string, style: string): string {
  const content = text === '' ? '' : `<is><t xml:space="preserve">${xmlText(writtenText(text))}</t></is>`
  return `<c r="${address}" s="${style}" t="inlineStr">${content}</c>`
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Signs that XML has no place for, and the line return that it would change, as Office writes them: `_x000D_`. */
function xmlText(text: string): string {
  return text.replace(/[&<>]|(?![\t\n])\p{Cc}/gu, (sign) => named[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}
