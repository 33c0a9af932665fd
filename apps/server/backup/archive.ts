import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline as connect } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

const [manifest_file, manifest_sum] = ['manifest.json', 'manifest.sha256']

/**
 * A backup is a folder: `manifest.json` and its checksum, one `<table>.jsonl.gz` per table (a line = [school_id, row text]) and `files/`.
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
  /** the stored files by their path below `files/`; older backups do not say */
  files: z.record(z.string(), z.string()).optional(),
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

/** Reads the lines of one table and checks them against the manifest. @throws Error that names the file when it was changed or cut */
export async function* readTable(folder: string, table: Manifest['tables'][number]): AsyncGenerator<Line> {
  const file = tableFile(folder, table.name)
  const hash = createHash('sha256')
  try {
    for await (const text of linesOf(file)) {
      hash.update(`${text}\n`)
      yield Line.parse(JSON.parse(text))
    }
  } catch (error) {
    throw damaged(file, error)
  }
  if (hash.digest('hex') !== table.sha256) throw damaged(file, 'it does not match its checksum')
}

/** Splits at line feeds alone: names may hold U+2028, which `readline` takes for the end of a line. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createGunzip().setEncoding('utf8')
  // What fails is thrown to the reader of `input`.
  connect(createReadStream(file), input, () => undefined)
  let rest = ''
  for await (const part of input) {
    const lines = `${rest}${String(part)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** The failure of a backup one of whose files is not what was written. */
function damaged(file: string, why: unknown): Error {
  const reason = why instanceof Error && 'code' in why && why.code === 'ENOENT' ? 'it is missing' : why instanceof Error ? `it cannot be read (${firstLine(why.message)})` : String(why)
  return new Error(`backup is damaged: ${file}: ${reason}; take another backup`, { cause: why })
}

const firstLine = (text: string) => text.split('\n')[0]?.slice(0, 80)

/** Makes the folder of a new backup. @throws Error when it already holds one */
export async function openFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, manifest_file))) throw new Error(`${folder} already holds a backup`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** The manifest is written last: a folder without one is no backup. Its own checksum stands in a file beside it. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFile(join(folder, manifest_sum), `${sha256(text)}\n`, { mode: 0o600 })
  await writeFile(join(folder, manifest_file), text, { mode: 0o600 })
}

/** Reads and checks the manifest; older backups have no checksum of it. @throws Error when it was changed or cut */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifest_file)
  if (!existsSync(file)) throw new Error(`${folder} holds no backup: there is no ${manifest_file} in it`)
  const text = await readFile(file, 'utf8')
  const sum = await readFile(join(folder, manifest_sum), 'utf8').catch(() => null)
  if (sum !== null && sum.trim() !== sha256(text)) throw damaged(file, `it does not match its checksum in ${manifest_sum}`)
  try {
    return Manifest.parse(JSON.parse(text))
  } catch (error) {
    throw damaged(file, error)
  }
}

/** Copies the embedded file store into or out of a backup; files that somebody is still writing are none yet. */
export async function copyFiles(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { recursive: true, filter: path => !path.endsWith('.partial') })
}

/** The checksums of stored files, by their path below the folder. */
export async function hashFiles(folder: string): Promise<Record<string, string>> {
  const names = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : []
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name)).toSorted()
  const sums: Record<string, string> = {}
  for (const file of files) sums[relative(folder, file).replaceAll(sep, '/')] = await fileSum(file)
  return sums
}

/** Reads every file of a backup against its manifest. @throws Error that names the first one that was changed, cut or lost */
export async function checkBackup(folder: string, { tables, files = {} }: Manifest): Promise<void> {
  for (const table of tables) {
    let rows = 0
    for await (const _line of readTable(folder, table)) rows += 1
    if (rows !== table.rows) throw damaged(tableFile(folder, table.name), `it has ${rows} rows instead of ${table.rows}`)
  }
  for (const [name, sum] of Object.entries(files)) {
    const file = join(folder, 'files', name)
    const found = await fileSum(file).catch((error: unknown) => Promise.reject(damaged(file, error)))
    if (found !== sum) throw damaged(file, 'it does not match its checksum')
  }
}

async function fileSum(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function tableFile(folder: string, name: string): string {
  return join(folder, `${name}.jsonl.gz`)
}
