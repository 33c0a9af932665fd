import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { writeXlsxStream } from 'hucre/xlsx'
import type { CellValue } from 'hucre/xlsx'
import { nameWhole } from '../files/index.ts'
import { textWidth, writtenText } from './written-text.ts'

export interface ExportColumn {
  label: string
  /** In digits; default by the label. */
  width?: number
  /** Plain numbers become number cells; anything else in the column stays text. */
  numeric?: boolean
}

export interface ExportInput {
  sheet: string
  /** Lines above the header: school, identity, time, filter. */
  head: string[]
  columns: ExportColumn[]
  rows: AsyncIterable<string[]> | string[][]
}

/** Builds an export in memory, for up to a few thousand rows. Text that could run as a formula is quoted. */
export async function writeRows(input: ExportInput): Promise<Buffer> {
  return await buffer(sheetStream(input))
}

/** Writes an export of any length to a file, a few rows in memory at a time; it has its name only once its bytes are on the disk. On failure no file is left behind. */
export async function writeRowsFile(path: string, input: ExportInput): Promise<void> {
  const partial = `${path}.partial`
  try {
    await pipeline(sheetStream(input), createWriteStream(partial, { flags: 'wx' }))
    await nameWhole(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

function sheetStream({ sheet, head, columns, rows }: ExportInput): Readable {
  const lines = sheetLines(head, columns, rows)
  const options = {
    name: sheet,
    columns: columns.map(({ label, width }) => ({ width: width ?? Math.min(40, Math.max(10, textWidth(label) + 4)) })),
    freezePane: { rows: head.length + 1 },
    repeatHeaders: false,
  }
  return Readable.from(webChunks(writeXlsxStream(lines, options)), { objectMode: false })
}

const pauseEvery = 200

async function* sheetLines(head: string[], columns: ExportColumn[], rows: ExportInput['rows']): AsyncGenerator<CellValue[]> {
  for (const text of head) yield [writtenText(text)]
  yield columns.map(({ label }) => writtenText(label))
  let count = 0
  for await (const row of rows) {
    yield columns.map(({ numeric }, index) => cellValue(row[index] ?? '', numeric ?? false))
    count += 1
    // Rows from memory would otherwise be written in one go, while every other request waits.
    if (count % pauseEvery === 0) await setImmediate()
  }
}

function cellValue(text: string, numeric: boolean): CellValue {
  if (text === '') return null
  return numeric && isPlainNumber(text) ? Number(text) : writtenText(text)
}

/** A number that a spreadsheet shows again as it stands: no leading zeros, at most 15 digits. */
function isPlainNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= 15
}

async function* webChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}
