import { writeXlsx } from 'hucre/xlsx'
import type { CellStyle, CellValue, DataValidation, WriteSheet } from 'hucre/xlsx'
import { columnName } from './cell-range.ts'
import { formatWholeColumns } from './column-format.ts'
import { plainText, textWidth, writtenText } from './written-text.ts'

export interface TemplateColumn {
  /** Header in row 2; written exactly so, since it is matched again on import. */
  label: string
  /** Field that the column fills; not written. */
  prop: string
  /** Shown by the colour of the header. */
  required: boolean
  /** Values of the drop-down. */
  options?: string[]
  /** Whole column formatted as text: numbers, codes, phones, dates keep every digit typed. */
  text?: boolean
  /** Shown when a cell of the column is chosen. */
  note?: string
  /** In digits; default by the label. */
  width?: number
}

export interface TemplateInput {
  sheet: string
  /** Row 1, one line each. */
  notes: string[]
  columns: TemplateColumn[]
  /** Rows from row 3, in the order of `columns`. */
  samples?: string[][]
}

export interface TemplateRows {
  values: CellValue[][]
  /** Style of single cells, by `row,column` of `values`. */
  styles: Map<string, CellStyle>
}

const firstRow = 3
const lastRow = 20_002
/** Excel's limit for the values of a drop-down written into the rule itself. */
const maxInline = 255
const textFormat = '@'

/**
 * Builds an import template: row 1 notes, row 2 headers, data from row 3 to 20,002 with drop-downs and text columns.
 * Long lists stand on a hidden sheet 字典.
 */
export async function writeTemplate(input: TemplateInput): Promise<Buffer> {
  const values = (input.samples ?? []).map((row) => row.map(writtenText))
  return await buildTemplate(input, { values, styles: new Map() })
}

/** The template with given rows in place of samples. */
export async function buildTemplate(input: TemplateInput, rows: TemplateRows): Promise<Buffer> {
  const dictionary = new Dictionary(input.sheet === '字典' ? '字典选项' : '字典')
  const dataValidations = input.columns.flatMap((column, index) => rulesOf(column, index, dictionary))
  const width = input.columns.length
  const main: WriteSheet = {
    name: input.sheet,
    columns: input.columns.map((column) => ({ width: columnWidth(column), ...(column.text ? { style: { numFmt: textFormat } } : {}) })),
    rows: [[plainText(input.notes.join('\n'))], input.columns.map(({ label }) => plainText(label)), ...(rows.values.length > 0 ? rows.values : [[]])],
    cells: cellStyles(input.columns, rows),
    rowDefs: new Map([[0, { height: notesHeight(input) }], [1, { height: 24 }]]),
    merges: width > 1 ? [{ startRow: 0, startCol: 0, endRow: 0, endCol: width - 1 }] : [],
    freezePane: { rows: 2 },
    dataValidations,
  }
  const bytes = await writeXlsx({ sheets: [main, ...dictionary.sheets()] })
  return formatWholeColumns(Buffer.from(bytes), input.columns.map((column) => column.text ?? false), firstRow)
}

function cellStyles(columns: TemplateColumn[], rows: TemplateRows): NonNullable<WriteSheet['cells']> {
  const cells: NonNullable<WriteSheet['cells']> = new Map()
  cells.set('0,0', { style: notesStyle })
  for (const [column, { required, text }] of columns.entries()) {
    if (column > 0) cells.set(`0,${column}`, { style: notesStyle })
    cells.set(`1,${column}`, { style: required ? requiredStyle : optionalStyle })
    // An empty styled cell in the first data row carries the text format to the column.
    if (text && rows.values[0]?.[column] === undefined) cells.set(`2,${column}`, { style: { numFmt: textFormat } })
  }
  for (const [at, style] of rows.styles) {
    const [row = 0, column = 0] = at.split(',').map(Number)
    const numFmt = columns[column]?.text ? textFormat : undefined
    cells.set(`${row + firstRow - 1},${column}`, { style: numFmt ? { ...style, numFmt } : style })
  }
  return cells
}

function rulesOf({ label, required, options = [], note }: TemplateColumn, index: number, dictionary: Dictionary): DataValidation[] {
  const column = columnName(index)
  const range = `${column}${firstRow}:${column}${lastRow}`
  const prompt = note ? { showInputMessage: true, inputTitle: label.slice(0, 32), inputMessage: note.slice(0, 255) } : {}
  // A rule is needed to show the note; this one holds for every text.
  if (options.length === 0) return note ? [{ type: 'textLength', operator: 'greaterThanOrEqual', formula1: '0', allowBlank: true, range, ...prompt }] : []
  const inline = options.join(',').length <= maxInline && !options.some((option) => /[,"\s]/.test(option))
  return [{
    type: 'list',
    ...(inline ? { values: options } : { formula1: dictionary.rangeOf(options) }),
    allowBlank: true,
    showErrorMessage: true,
    // Optional cells may also hold [清空], which is in no list: warn there, refuse only where a value must stand.
    errorStyle: required ? 'stop' : 'warning',
    errorTitle: '字典值不存在',
    errorMessage: '请从下拉列表中选择',
    range,
    ...prompt,
  }]
}

/** The lists that are too long for a rule, one column each on a hidden sheet; equal lists share a column. */
class Dictionary {
  private readonly name: string
  private readonly lists = new Map<string, string[]>()

  constructor(name: string) {
    this.name = name
  }

  rangeOf(options: string[]): string {
    const key = options.join('\n')
    if (!this.lists.has(key)) this.lists.set(key, options)
    const column = columnName([...this.lists.keys()].indexOf(key))
    return `'${this.name}'!$${column}$1:$${column}$${options.length}`
  }

  sheets(): WriteSheet[] {
    const lists = [...this.lists.values()]
    if (lists.length === 0) return []
    const height = Math.max(...lists.map((list) => list.length))
    const rows = Array.from({ length: height }, (_, row) => lists.map((list) => plainText(list[row] ?? '') || null))
    return [{ name: this.name, rows, hidden: true }]
  }
}

function columnWidth({ label, width }: TemplateColumn): number {
  return width ?? Math.min(40, Math.max(10, textWidth(label) + 4))
}

/** Merged cells do not grow with their text, so the height is worked out here. In points. */
function notesHeight({ notes, columns }: TemplateInput): number {
  const room = Math.max(10, columns.reduce((sum, column) => sum + columnWidth(column), 0))
  const lines = notes.reduce((sum, note) => sum + Math.max(1, Math.ceil(textWidth(note) / room)), 0)
  return Math.min(400, Math.max(1, lines) * 16 + 6)
}

const line = { style: 'thin', color: { rgb: 'BFBFBF' } } as const
const border = { top: line, right: line, bottom: line, left: line }
const notesStyle: CellStyle = { alignment: { wrapText: true, vertical: 'top', horizontal: 'left' }, font: { color: { rgb: '7F6000' } } }
const requiredStyle: CellStyle = headerStyle('F8CBAD', 'C00000')
const optionalStyle: CellStyle = headerStyle('DDEBF7', '1F3864')

function headerStyle(fill: string, text: string): CellStyle {
  return {
    font: { bold: true, color: { rgb: text } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: fill } },
    alignment: { horizontal: 'center', vertical: 'center' },
    border,
  }
}
