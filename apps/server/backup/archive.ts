import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/**
 * A backup is a folder: `manifest.json`, one `<table>.jsonl.gz` per table (a line = [school_id, row text]) and `files/`.
 * Row texts are PostgreSQL's own composite form, so every type survives and both engines read the same backup.
 */
export const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  made_at: z.string(),
  /** made by the server's own schedule, which may remove it again; absent = made by hand */
  origin: z.literal('schedule').optional(),
  migrations: z.array(z.string()),
  schools: z.array(z.number().int()),
  tables: z.array(z.object({ name: z.string(), rows: z.number().int(), sha256: z.string() })),
  sequences: z.record(z.string(), z.string()),
  /** the months (`YYYY-MM`) of each table that lies in months; none in older backups */
  months: z.record(z.string(), z.array(z.string().regex(/^\d{4}-\d{2}$/))).default({}),
})
export type Manifest = z.output<typeof Manifest>

export type Line = [school_id: number, row: string]
const Line = z.tuple([z.number().int(), z.string()])

/** Writes one table's file line by line. */
export type TableWriter = { add(line: Line): Promise<void>; finish(): Promise<{ name: string; rows: number; sha256: string }> }

/** Opens the file of one table. */
export function openTable(folder: string, name: string): TableWriter {
  const hash = createHash('sha256')
  const zip = createGzip()
  const written = pipeline(zip, createWriteStream(tableFile(folder, name), { mode: 0o600 }))
  let rows = 0
  return {
    async add(line) {
      const text = `${JSON.stringify(line)}\n`
      hash.update(text)
      rows += 1
      if (!zip.write(text)) await once(zip, 'drain')
    },
    async finish() {
      zip.end()
      await written
      return { name, rows, sha256: hash.digest('hex') }
    },
  }
}

/** Reads the lines of one table and checks them against the manifest. @throws Error when the file was changed or cut */
export async function* readTable(folder: string, table: Manifest['tables'][number]): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  const input = createReadStream(tableFile(folder, table.name)).pipe(createGunzip())
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    hash.update(`${text}\n`)
    yield Line.parse(JSON.parse(text))
  }
  if (hash.digest('hex') !== table.sha256) throw new Error(`backup is damaged: ${table.name} does not match its checksum`)
}

/** Makes the folder of a new backup. @throws Error when it already holds one */
export async function openFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, 'manifest.json'))) throw new Error(`${folder} already holds a backup`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** The manifest is written last: a folder without one is no backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
}

/** Reads and checks the manifest. */
export async function readManifest(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
}

/** Copies the embedded file store into or out of a backup; files that somebody is still writing are none yet. */
export async function copyFiles(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { recursive: true, filter: path => !path.endsWith('.partial') })
}

/** Reads every table's file against the manifest. @throws Error when one was changed or cut, or lacks rows */
export async function checkTables(folder: string, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    let rows = 0
    for await (const _line of readTable(folder, table)) rows += 1
    if (rows !== table.rows) throw new Error(`backup is damaged: ${table.name} has ${rows} rows instead of ${table.rows}`)
  }
}

function tableFile(folder: string, name: string): string {
  return join(folder, `${name}.jsonl.gz`)
}
