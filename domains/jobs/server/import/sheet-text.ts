import { dropInvisible } from '@kit/contract/checks'
import { lostPrecision, SheetRefused } from '@kit/server/excel'
import type { Cell, ImportColumn as TemplateColumn, Issue, ReadSheet, SheetRow } from '@kit/server/excel'

const longest_cell = 1000

type Flaw = 'formula' | 'lost' | 'long' | 'error' | 'unsure'
/** One line as it was uploaded: texts by position, and what is wrong with cells before anybody reads them. */
export type SheetLine = { row_no: number; texts: string[]; flaws: Map<number, Flaw> | null }
/** A visible sheet of a file as text; `refusal` says why its lines end early. */
export type SheetPart = { name: string; lines: Map<number, SheetLine>; hidden_rows: number[]; refusal: string | null }
/** A file as text, small enough to be kept. */
export type SheetText = { parts: SheetPart[]; size: number }

/** Texts and flaws of one line under the columns of its template. */
export type LineCells = { cells: Record<string, string>; flaws: Issue[] }

const said: Record<Flaw, string> = {
  formula: '公式单元格不支持',
  lost: '必须为文本格式(数字已丢失精度)',
  long: `超过${longest_cell}个字`,
  error: '单元格是错误值，请改为正确的内容',
  unsure: '数字格式与显示不一致，请改为文本',
}

/** Result columns of our own error sheet: somebody mends it and uploads it again. */
const result_labels = new Set(['行号', '错误字段', '错误原因'])

/** Takes the texts out of the sheets that readSheet has read. */
export function sheetText(sheets: readonly ReadSheet[]): SheetText {
  const parts = sheets.map(({ name, rows, hidden_rows, refusal }) => {
    const lines = rows.map(lineOf).filter(({ texts }) => texts.some(text => text !== ''))
    return { name, lines: new Map(lines.map(line => [line.row_no, line])), hidden_rows, refusal: refusal && new SheetRefused(refusal).message }
  })
  return { parts, size: parts.reduce((sum, { lines }) => sum + sizeOf(lines), 0) }
}

function sizeOf(lines: ReadonlyMap<number, SheetLine>): number {
  return [...lines.values()].reduce((sum, { texts }) => sum + texts.length, 0)
}

function lineOf({ row_no, cells }: SheetRow): SheetLine {
  const flaws = new Map<number, Flaw>()
  const texts = cells.map((cell, index) => {
    const flaw = flawOf(cell)
    if (flaw) flaws.set(index, flaw)
    return dropInvisible(cell.text).trim().slice(0, longest_cell)
  })
  return { row_no, texts, flaws: flaws.size > 0 ? flaws : null }
}

function flawOf(cell: Cell): Flaw | null {
  if (cell.kind === 'formula' || cell.kind === 'error' || cell.kind === 'unsure') return cell.kind
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

/** Headers are compared without white space, in half-width signs and without the star of a required column. */
export function plainLabel(label: string): string {
  return dropInvisible(label).normalize('NFKC').replace(/\s/g, '').replace(/^\*|\*$/g, '')
}

/** The labels of a line that may be the header. */
export function labelsOf(line: SheetLine | undefined): string[] {
  return (line?.texts ?? []).map(plainLabel)
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
