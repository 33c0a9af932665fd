import { CsvError, parse } from 'csv-parse/sync'
import { decodeText, openCsv, plainField } from './csv-text.ts'
import { SheetRefused } from './refusal.ts'

const most_rows = 200_000

/**
 * A comma separated file whose first line names its columns, as rows by column name, trimmed; columns without a name are left out.
 * @throws SheetRefused bad_encoding, unreadable, too_many_rows
 */
export function readCsvTable(file: Buffer): Record<string, string>[] {
  const text = decodeText(file)
  const rows = parseRows(text)
  if (rows.length > most_rows) throw new SheetRefused('too_many_rows')
  const [head = [], ...lines] = rows
  const names = head.map(name => name.trim())
  return lines.map(line => Object.fromEntries(names.flatMap((name, at) => (name === '' ? [] : [[name, plainField(line[at] ?? '').trim()]]))))
}

function parseRows(text: string): string[][] {
  try {
    const { body, delimiter } = openCsv(text)
    return parse(body, { bom: true, delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true, to_line: most_rows + 2 })
  } catch (error) {
    if (error instanceof CsvError) throw new SheetRefused('unreadable')
    throw error
  }
}
