const cell = /(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/y

/** Rows of an RFC 4180 text with a header line, each as name → text. Throws on a row that is wider or narrower than the header. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = cells(text.trimEnd())
  return rows.map((row, i) => {
    if (row.length !== header.length) throw new Error(`row ${i + 2} has ${row.length} cells, the header ${header.length}`)
    return Object.fromEntries(header.map((name, column) => [name, row[column] ?? '']))
  })
}

function cells(text: string): string[][] {
  const rows: string[][] = [[]]
  cell.lastIndex = 0
  for (let end = ','; end !== '';) {
    const match = cell.exec(text)
    if (!match) throw new Error(`unreadable cell in row ${rows.length}`)
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    end = match[3] ?? ''
    if (end === '\n') rows.push([])
  }
  return rows
}
