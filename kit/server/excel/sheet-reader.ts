import { readFile } from 'node:fs/promises'
import type { SheetLimits, SheetRow } from './cell.ts'
import { readCsv } from './csv-reader.ts'
import { decodeText } from './csv-text.ts'
import { SheetRefused } from './refusal.ts'
import { createRowCollector } from './row-collector.ts'
import type { RowCollector } from './row-collector.ts'
import { readSharedStrings } from './shared-strings.ts'
import { openWorkbook } from './workbook-parts.ts'
import { readWorksheet } from './worksheet.ts'
import type { SheetMarks } from './worksheet.ts'
import { guardXlsx } from './xlsx-guard.ts'
import { streamPart } from './zip-part.ts'

export interface ReadInput {
  path: string
  /** The name under which the file was uploaded; its extension must fit the content. */
  file_name: string
  limits: SheetLimits
}

const batchRows = 200

/** Reads one file and hands its rows on in batches. Runs inside the sheet worker. */
export async function readRows(input: ReadInput, send: (rows: SheetRow[]) => Promise<void>): Promise<SheetMarks> {
  const file = await readFile(input.path)
  if (file.length === 0) throw new SheetRefused('no_data')
  const collector = createRowCollector(input.limits)
  const flush = async () => {
    const rows = collector.take()
    for (let at = 0; at < rows.length; at += batchRows) await send(rows.slice(at, at + batchRows))
  }
  const marks = sheetKind(file, input.file_name) === 'xlsx' ? await readXlsx(file, input.limits, collector, flush) : await readText(file, collector, flush)
  await flush()
  if (collector.total() === 0) throw new SheetRefused('no_data')
  return marks
}

async function readXlsx(file: Buffer, limits: SheetLimits, collector: RowCollector, flush: () => Promise<void>): Promise<SheetMarks> {
  const parts = guardXlsx(file, limits)
  const { sheet, shared_strings, formats, date_1904 } = openWorkbook(file, parts)
  const strings = shared_strings ? await readSharedStrings(streamPart(file, shared_strings)) : []
  return await readWorksheet(streamPart(file, sheet), { strings, formats, date_1904 }, collector, flush)
}

async function readText(file: Buffer, collector: RowCollector, flush: () => Promise<void>): Promise<SheetMarks> {
  const text = decodeText(file)
  if (markup.test(text)) throw new SheetRefused('not_allowed')
  await readCsv(text, collector, flush)
  return { merges: [], formulas: [] }
}

/** Web pages and XML that other systems save under the name of a sheet. */
const markup = /^\s*<(!doctype|!--|html|head|body|meta|table|style|script|div|\?xml|\?mso)/i

function sheetKind(file: Buffer, file_name: string): 'xlsx' | 'csv' {
  const extension = /\.[^./\\]*$/.exec(file_name.toLowerCase())?.[0]
  const zip = file.length >= 4 && file.readUInt16BE(0) === 0x504b
  // Old binary workbooks, and locked ones, which come in the same envelope.
  const ole = file.length >= 4 && file.readUInt32BE(0) === 0xd0cf11e0
  if (ole || (zip && extension === '.csv')) throw new SheetRefused('not_allowed')
  if (zip) return 'xlsx'
  if (extension !== '.xlsx') return 'csv'
  throw new SheetRefused(markup.test(file.subarray(0, 4096).toString('utf8')) ? 'not_allowed' : 'unreadable')
}
