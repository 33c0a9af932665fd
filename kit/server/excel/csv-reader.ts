import { CsvError, parse } from 'csv-parse'
import { emptyCell } from './cell.ts'
import type { Cell } from './cell.ts'
import { openCsv, plainField } from './csv-text.ts'
import { SheetRefused } from './refusal.ts'
import type { RowCollector } from './row-collector.ts'
import { noMarks } from './worksheet.ts'
import type { SheetMarks } from './worksheet.ts'

const maxRecord = 1024 * 1024
const flushEvery = 500
/** The errors of Excel, as it saves them in a CSV. */
const errorValue = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

/**
 * Reads comma, semicolon or tab separated text; `row_no` is the line that Excel would show (a quoted line break makes no new
 * line). An unclosed quote is `unreadable`.
 */
export async function readCsv(text: string, collector: RowCollector, flush: () => Promise<void>): Promise<SheetMarks> {
  const { body, delimiter } = openCsv(text)
  const parser = parse(body, {
    delimiter,
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
  return noMarks()
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
  const text = plainField(value)
  if (text === '') return emptyCell
  if (errorValue.test(text)) return { text, kind: 'error' }
  return { text, kind: /^-?\d(\.\d+)?E\+\d{2,}$/.test(text) ? 'number' : 'text' }
}
