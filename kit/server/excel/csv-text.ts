import iconv from 'iconv-lite'
import { unquoteText } from './quoting.ts'
import { SheetRefused } from './refusal.ts'

/**
 * Decodes a text file from a school's computer: by its mark (UTF-8, UTF-16), else as strict UTF-8, else as GB18030, which
 * holds GBK. A file that is none of them is refused, never guessed at: a wrong sign in a name is worse than a refusal.
 */
export function decodeText(file: Buffer): string {
  const marked = markedEncoding(file)
  const text = marked ? strict(file, marked) : (strict(file, 'utf-8') ?? chinese(file))
  if (text === undefined || text.includes('\0')) throw new SheetRefused('bad_encoding')
  return text
}

function markedEncoding(file: Buffer): string | undefined {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le'
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be'
  if (file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf) return 'utf-8'
  return undefined
}

function strict(file: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

function chinese(file: Buffer): string | undefined {
  const text = iconv.decode(file, 'gb18030')
  return text.includes('\ufffd') ? undefined : text
}

/** The first line that tells Excel the separator; it shows no row for it. */
const separatorLine = /^[ \t]*"?sep=([^\r\n"]|\t)"?[ \t]*(?:\r\n?|\n|$)/i

/** The records of a CSV, and what separates their fields: as its `sep=` line says, else as its first lines look. */
export function openCsv(text: string): { body: string; delimiter: string } {
  const line = separatorLine.exec(text)
  if (!line) return { body: text, delimiter: findDelimiter(text) }
  return { body: text.slice(line[0].length), delimiter: line[1] ?? ',' }
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

const formulaText = /^\s*=\s*"((?:[^"]|"")*)"\s*$/
/** A number, date or phone that was made a text by an apostrophe; names may begin with one. */
const apostrophe = /^['\u2018\u2019](?=[\dA-Za-z+\-_./: ()]*\d)(?=[\dA-Za-z+\-_./: ()]*$)/

/** What Excel shows of a field: `="001"` and `'001` are how other programs make it keep the zeros. */
export function plainField(value: string): string {
  if (value === '') return value
  const formula = value.includes('=') ? formulaText.exec(value) : null
  if (formula) return (formula[1] ?? '').replaceAll('""', '"')
  const text = unquoteText(value)
  return text === value ? text.replace(apostrophe, '') : text
}
