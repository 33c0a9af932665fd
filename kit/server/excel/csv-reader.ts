import { CsvError, parse } from 'csv-parse'
import { emptyCell } from './cell.ts'
import type { Cell } from './cell.ts'
import { unquoteText } from './quoting.ts'
import { SheetRefused } from './refusal.ts'
import type { RowCollector } from './row-collector.ts'

const maxRecord = 1024 * 1024
const flushEvery = 500

/**
 * Reads comma, semicolon or tab separated text; `row_no` is the line that Excel would show (a quoted line break makes no new
 * line). An unclosed quote is `unreadable`.
 */
export async function readCsv(text: string, collector: RowCollector, flush: () => Promise<void>): Promise<void> {
  const parser = parse(text, {
    delimiter: findDelimiter(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRecord,
  })
  const records: AsyncIterable<string[]> = parser
  let row_no = 0
  try {
    for await (const record of records) {
      row_no += 1
      addRecord(row_no, record, collector)
      if (row_no % flushEvery === 0) await flush()
    }
  } catch (error) {
    if (error instanceof CsvError) throw new SheetRefused('unreadable')
    throw error
  }
}

function addRecord(row_no: number, record: string[], collector: RowCollector): void {
  const cells: Cell[] = []
  for (const [column, value] of record.entries()) {
    const cell = readField(value)
    if (cell.kind === 'empty') continue
    collector.count(row_no, column, cell)
    while (cells.length < column) cells.push(emptyCell)
    cells.push(cell)
  }
  if (cells.length > 0) collector.add({ row_no, cells })
}

/** Excel saves a number that lost its digits as `3.702E+17`; only that form is known to be a number in a CSV. */
function readField(value: string): Cell {
  if (value === '') return emptyCell
  const text = unquoteText(value)
  return { text, kind: /^-?\d(\.\d+)?E\+\d{2,}$/.test(text) ? 'number' : 'text' }
}

/** The separator that the first line with any has most of; Excel's "Unicode text" has tabs. */
function findDelimiter(text: string): string {
  const sample = text.slice(0, 64 * 1024).replace(/"[^"]*"/g, '')
  for (const line of sample.split(/\r\n?|\n/, 20)) {
    const counts = [',', '\t', ';'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length - 1 }))
    const best = counts.reduce((most, next) => (next.count > most.count ? next : most))
    if (best.count > 0) return best.delimiter
  }
  return ','
}
