import { readFile } from 'node:fs/promises'
import type { SheetLimits, SheetRow } from './cell.ts'
import { readCsv } from './csv-reader.ts'
import { decodeText } from './csv-text.ts'
import { SheetRefused } from './refusal.ts'
import { createRowCollector } from './row-collector.ts'
import type { RowCollector } from './row-collector.ts'
import type { RefusalReason } from './refusal.ts'
import { readSharedStrings } from './shared-strings.ts'
import { valueShower } from './shown-text.ts'
import { openWorkbook } from './workbook-parts.ts'
import { noMarks, readWorksheet } from './worksheet.ts'
import type { SheetMarks } from './worksheet.ts'
import { guardXlsx } from './xlsx-guard.ts'
import { streamPart } from './zip-part.ts'

export interface ReadInput {
  path: string
  /** The name under which the file was uploaded; its extension must fit the content. */
  file_name: string
  limits: SheetLimits
}

/** What is known of a sheet beside its rows. */
export interface ReadFacts {
  name: string
  marks: SheetMarks
  /** Why reading stopped before its end; only in a workbook of several sheets, whose others go on. */
  refusal: RefusalReason | null
}

/** Takes rows of the sheet at a place, and answers when there is room for more. */
type Send = (rows: SheetRow[], sheet: number) => Promise<void>
type Flush = () => Promise<void>
type OneSheet = { name: string; read: (collector: RowCollector, flush: Flush) => Promise<SheetMarks> }

const batchRows = 200

/** Reads every visible sheet of one file and hands its rows on in batches. Runs inside the sheet worker. */
export async function readRows(input: ReadInput, send: Send): Promise<ReadFacts[]> {
  const file = await readFile(input.path)
  if (file.length === 0) throw new SheetRefused('no_data')
  const sheets = sheetKind(file, input.file_name) === 'xlsx' ? await openXlsx(file, input.limits) : [openText(file)]
  const spent = { text: 0 }
  const facts: ReadFacts[] = []
  let total = 0
  for (const [at, sheet] of sheets.entries()) {
    const collector = createRowCollector(input.limits, spent)
    const read = await readOne(sheet, collector, rows => send(rows, at))
    if (read.refusal !== null && sheets.length === 1) throw new SheetRefused(read.refusal)
    facts.push(read)
    total += collector.total()
  }
  if (total === 0) throw new SheetRefused('no_data')
  return facts
}

async function readOne({ name, read }: OneSheet, collector: RowCollector, send: (rows: SheetRow[]) => Promise<void>): Promise<ReadFacts> {
  const flush = async () => {
    const rows = collector.take()
    for (let at = 0; at < rows.length; at += batchRows) await send(rows.slice(at, at + batchRows))
  }
  try {
    const marks = await read(collector, flush)
    await flush()
    return { name, marks, refusal: null }
  } catch (error) {
    if (!(error instanceof SheetRefused) || error.reason !== 'too_many_rows') throw error
    await flush()
    return { name, marks: noMarks(), refusal: error.reason }
  }
}

async function openXlsx(file: Buffer, limits: SheetLimits): Promise<OneSheet[]> {
  const { sheets, shared_strings, formats, date_1904 } = openWorkbook(file, guardXlsx(file, limits))
  const strings = shared_strings ? await readSharedStrings(streamPart(file, shared_strings)) : []
  const context = { strings, formats, date_1904, show: await valueShower(formats) }
  return sheets.map(({ name, entry }) => ({ name, read: (collector, flush) => readWorksheet(streamPart(file, entry), context, collector, flush) }))
}

function openText(file: Buffer): OneSheet {
  const text = decodeText(file)
  if (markup.test(text)) throw new SheetRefused('not_allowed')
  return { name: '', read: (collector, flush) => readCsv(text, collector, flush) }
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
