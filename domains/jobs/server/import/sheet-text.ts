import { lostPrecision, SheetRefused } from '@kit/server/excel'
import type { Cell, SheetRow } from '@kit/server/excel'
import type { Issue, ImportColumn as TemplateColumn } from '@kit/server/excel'

const header_row = 2
const longest_cell = 1000

type Flaw = 'formula' | 'lost' | 'long'
/** One line as it was uploaded: texts by position, and what is wrong with cells before anybody reads them. */
export type SheetLine = { row_no: number; texts: string[]; flaws: Map<number, Flaw> | null }
/** A sheet as text, small enough to be kept. */
export type SheetText = { header: string[]; lines: Map<number, SheetLine>; size: number }

/** Texts and flaws of one line under the columns of its template. */
export type LineCells = { cells: Record<string, string>; flaws: Issue[] }

const said: Record<Flaw, string> = {
  formula: '公式单元格不支持',
  lost: '必须为文本格式(数字已丢失精度)',
  long: `超过${longest_cell}个字`,
}

/** Result columns of our own error sheet: somebody mends it and uploads it again. */
const result_labels = new Set(['行号', '错误字段', '错误原因'])

/**
 * Takes the texts out of the rows of readSheet (row 1 notes, row 2 headers, data from row 3).
 * @throws SheetRefused 文件中没有数据
 */
export function sheetText(rows: readonly SheetRow[]): SheetText {
  const head = rows.find(({ row_no }) => row_no === header_row)
  const data = rows.filter(({ row_no }) => row_no > header_row).map(lineOf).filter(({ texts }) => texts.some(text => text !== ''))
  if (data.length === 0) throw new SheetRefused('no_data')
  const size = data.reduce((sum, { texts }) => sum + texts.length, 0)
  return { header: (head?.cells ?? []).map(({ text }) => plainLabel(text)), lines: new Map(data.map(line => [line.row_no, line])), size }
}

function lineOf({ row_no, cells }: SheetRow): SheetLine {
  const flaws = new Map<number, Flaw>()
  const texts = cells.map((cell, index) => {
    const flaw = flawOf(cell)
    if (flaw) flaws.set(index, flaw)
    return cell.text.trim().slice(0, longest_cell)
  })
  return { row_no, texts, flaws: flaws.size > 0 ? flaws : null }
}

function flawOf(cell: Cell): Flaw | null {
  if (cell.kind === 'formula') return 'formula'
  if (lostPrecision(cell)) return 'lost'
  return cell.text.trim().length > longest_cell ? 'long' : null
}

/** The sentence why the headers do not fit the template; null when they do. */
export function headerProblem(header: readonly string[], columns: readonly TemplateColumn[]): string | null {
  const labels = new Set(columns.map(({ label }) => plainLabel(label)))
  const named = header.filter(label => label !== '')
  const missing = columns.filter(({ label, optional }) => !optional && !named.includes(plainLabel(label)))
  if (missing.length > 0) return `模板不匹配，缺少列：${listed(missing.map(({ label }) => label))}`
  // A column nobody knows would be dropped without a word: a field that the school has since removed, or a typing error.
  const unknown = named.filter(label => !labels.has(label) && !result_labels.has(label))
  if (unknown.length > 0) return `模板不匹配，未知列：${listed(unknown)}`
  const twice = named.filter((label, at) => labels.has(label) && named.indexOf(label) !== at)
  return twice.length > 0 ? `模板不匹配，列重复：${listed(twice)}` : null
}

function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, 10).map(label => [...label].slice(0, 20).join(''))
  return shown.join('、') + (labels.length > shown.length ? ` 等${labels.length}列` : '')
}

/** Headers are compared without white space and without the star of a required column. */
function plainLabel(label: string): string {
  return label.replace(/\s/g, '').replace(/^[*＊]|[*＊]$/g, '')
}

/** A function that reads a line under the given columns; an absent column reads as ''. */
export function cellReader(header: readonly string[], columns: readonly TemplateColumn[]): (line: SheetLine | undefined) => LineCells {
  const places = columns.map(column => ({ column, index: header.indexOf(plainLabel(column.label)) }))
  return line => ({
    cells: Object.fromEntries(places.map(({ column, index }) => [column.prop, line?.texts[index] ?? ''])),
    flaws: line?.flaws ? places.flatMap(({ column, index }) => flawIssues(column, line.flaws?.get(index))) : [],
  })
}

/** A short number in scientific notation is harmless where the column is a number anyway. */
function flawIssues({ prop, text }: TemplateColumn, flaw: Flaw | undefined): Issue[] {
  return flaw === undefined || (flaw === 'lost' && !text) ? [] : [{ prop, msg: said[flaw] }]
}
