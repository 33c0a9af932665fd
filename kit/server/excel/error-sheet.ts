import type { CellStyle, CellValue } from 'hucre/xlsx'
import { buildTemplate } from './template.ts'
import type { TemplateColumn, TemplateInput } from './template.ts'
import { writtenText } from './written-text.ts'

export interface ErrorSheetRow {
  /** Line of the uploaded sheet. */
  row_no: number
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

/** Builds the workbook of `writeErrorSheet`. Runs inside the sheet worker. */
export async function buildErrorSheet({ template, rows }: ErrorSheetInput): Promise<Uint8Array> {
  const labels = template.columns.map(({ label }) => label)
  const columns = [...template.columns, ...resultColumns]
  const values: CellValue[][] = rows.map((row) => [
    ...labels.map((_, index) => writtenText(row.cells[index] ?? '') || null),
    row.row_no,
    writtenText(row.fields.join('；')),
    writtenText(row.reasons.join('；')),
  ])
  const styles = new Map<string, CellStyle>()
  for (const [index, { fields }] of rows.entries()) {
    for (const field of fields) {
      const column = labels.indexOf(field)
      if (column >= 0) styles.set(`${index},${column}`, wrongStyle)
    }
  }
  return await buildTemplate({ ...template, columns }, { values, styles })
}

const wrongStyle: CellStyle = { fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFC7CE' } } }
