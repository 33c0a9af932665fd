import { SheetRefused } from '@kit/server/excel'
import type { ImportColumn as TemplateColumn } from '@kit/server/excel'
import { z } from 'zod'
import { cellReader, headerProblem, labelsOf, plainLabel } from './sheet-text.ts'
import type { LineCells, SheetPart, SheetText } from './sheet-text.ts'

/**
 * Which sheets of a file are read and how, as the batch keeps it: `at` is the place among the visible sheets, `header_row` the line
 * of the headers, null where the sheet is not read; `rows` counts lines of data, or all lines of a sheet that is not read.
 */
const PlannedSheet = z.object({ name: z.string(), at: z.number(), header_row: z.number().nullable(), rows: z.number(), hidden_rows: z.array(z.number()) })
type PlannedSheet = z.output<typeof PlannedSheet>
export type ReadPlan = readonly PlannedSheet[]

/** A title, a notice and empty lines may precede the headers. */
const last_header_row = 5
const usual_header_row = 2
const max_rows = 20_000
/** Lines of the second sheet that is read are numbered from here, and so on: numbers of one batch differ. */
const rows_per_sheet = 100_000
const most_named = 10

/**
 * Finds the sheets with the header of a template.
 * @returns the plan, or the sentence why no sheet can be read
 * @throws SheetRefused 文件中没有数据, 超过20000行
 */
export function planReading({ parts }: SheetText, columns: readonly TemplateColumn[]): ReadPlan | string {
  const judged = parts.map((part, at) => judgeSheet(part, at, columns)).filter(({ rows, header_row }) => rows > 0 || header_row !== null)
  const read = judged.filter(({ header_row }) => header_row !== null)
  if (read.length === 0) return problemOf(parts, judged, columns)
  for (const { at } of read) if (parts[at]?.refusal) throw new SheetRefused('too_many_rows')
  const rows = read.reduce((sum, sheet) => sum + sheet.rows, 0)
  if (rows === 0) throw new SheetRefused('no_data')
  if (rows > max_rows) throw new SheetRefused('too_many_rows')
  return judged.filter(sheet => sheet.rows > 0)
}

function judgeSheet({ name, lines, hidden_rows }: SheetPart, at: number, columns: readonly TemplateColumn[]): PlannedSheet {
  const heads = [...lines.values()].filter(({ row_no }) => row_no <= last_header_row)
  const header_row = heads.find(line => headerProblem(labelsOf(line), columns) === null)?.row_no ?? null
  const data = [...lines.keys()].filter(row_no => header_row === null || row_no > header_row)
  const hidden = new Set(hidden_rows)
  return { name, at, header_row, rows: data.length, hidden_rows: header_row === null ? [] : data.filter(row_no => hidden.has(row_no)) }
}

/** What is wrong with the sheet that comes closest, in the line that comes closest. */
function problemOf(parts: readonly SheetPart[], judged: ReadPlan, columns: readonly TemplateColumn[]): string {
  const labels = new Set(columns.map(({ label }) => plainLabel(label)))
  const heads = judged.flatMap(({ at }) => [...(parts[at]?.lines.values() ?? [])].filter(({ row_no }) => row_no <= last_header_row).map(line => {
    const named = labelsOf(line)
    return { at, row_no: line.row_no, named, known: new Set(named.filter(label => labels.has(label))).size }
  }))
  const best = heads.toSorted((a, b) => b.known - a.known || a.at - b.at || Math.abs(a.row_no - usual_header_row) - Math.abs(b.row_no - usual_header_row)).at(0)
  const problem = headerProblem(best?.named ?? [], columns) ?? ''
  return judged.length > 1 && best ? `工作表“${judged.find(({ at }) => at === best.at)?.name ?? ''}”${problem}` : problem
}

/** The plan of a batch; batches that were read before plans were kept have their headers in line 2 of the first sheet. */
export function planOf({ sheets }: { sheets: unknown }): ReadPlan {
  const plan = z.array(PlannedSheet).parse(sheets)
  return plan.length > 0 ? plan : [{ name: '', at: 0, header_row: usual_header_row, rows: 0, hidden_rows: [] }]
}

const readSheets = (plan: ReadPlan) => plan.filter(({ header_row }) => header_row !== null)

/** Numbers of the lines of data in their order. */
export function plannedRows({ parts }: SheetText, plan: ReadPlan): number[] {
  return readSheets(plan).flatMap(({ at, header_row }, place) =>
    [...(parts[at]?.lines.keys() ?? [])].filter(row_no => row_no > (header_row ?? 0)).map(row_no => place * rows_per_sheet + row_no))
}

/** A function that reads a line by its number under the given columns; each sheet has its columns in its own order. */
export function lineReader({ parts }: SheetText, plan: ReadPlan, columns: readonly TemplateColumn[]): (row_no: number) => LineCells {
  const readers = readSheets(plan).map(({ at, header_row }) => {
    const lines = parts[at]?.lines
    return { lines, read: cellReader(labelsOf(lines?.get(header_row ?? 0)), columns) }
  })
  const nothing = cellReader([], columns)
  return row_no => {
    const sheet = readers[Math.floor(row_no / rows_per_sheet)]
    return sheet ? sheet.read(sheet.lines?.get(row_no % rows_per_sheet)) : nothing(undefined)
  }
}

/** Where a line lies; `sheet` is null where one sheet alone is read. */
export function placeOf(plan: ReadPlan, row_no: number): { sheet: string | null; line: number } {
  const sheets = readSheets(plan)
  return { sheet: sheets.length > 1 ? (sheets[Math.floor(row_no / rows_per_sheet)]?.name ?? '') : null, line: row_no % rows_per_sheet }
}

/** Names another line in a sentence: 第3行, or “二年级”第3行 where several sheets are read. */
export function rowNamer(plan: ReadPlan): (row_no: number) => string {
  return row_no => {
    const { sheet, line } = placeOf(plan, row_no)
    return sheet === null ? `第${line}行` : `“${sheet}”第${line}行`
  }
}

/** Numbers of the lines that nobody sees in the sheet. */
export function hiddenRows(plan: ReadPlan): Set<number> {
  return new Set(readSheets(plan).flatMap(({ hidden_rows }, place) => hidden_rows.map(row_no => place * rows_per_sheet + row_no)))
}

/** What the reader of a batch should know: 第4、5行被隐藏. */
export function planNotes(plan: ReadPlan): string[] {
  const sheets = readSheets(plan)
  return sheets.filter(({ hidden_rows }) => hidden_rows.length > 0).map(({ name, hidden_rows }) => {
    const listed = hidden_rows.slice(0, most_named).join('、')
    const more = hidden_rows.length > most_named ? `等${hidden_rows.length}行` : '行'
    return `${sheets.length > 1 ? `“${name}”` : ''}第${listed}${more}被隐藏`
  })
}

/** Sheets with content that are not read. */
export function unreadSheets(plan: ReadPlan): { name: string; rows: number }[] {
  return plan.filter(({ header_row }) => header_row === null).map(({ name, rows }) => ({ name, rows }))
}
