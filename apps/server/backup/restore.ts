import { join } from 'node:path'
import { makeMonths, openDatabase } from '@kit/server/db'
import type { CatalogueTable, Database } from '@kit/server/db'
import { migrate } from '@kit/server/db'
import { sql } from 'kysely'
import { allMigrations } from '../boot.ts'
import { showMigrations } from '../schema-state.ts'
import { checkTables, copyFiles, readManifest, readTable } from './archive.ts'
import type { Line, Manifest } from './archive.ts'
import { backedTables } from './backup.ts'
import { tableHashes } from './table-hash.ts'

const chunk_rows = 500
/** More rows than these are not restored into memory for a proof. */
const most_in_memory = 2_000_000

/**
 * Puts a backup into an empty database and proves it: every table's rows are read back and compared with the backup.
 * @throws Error when the database is not empty, the backup is damaged, or a table differs afterwards
 */
export async function restoreBackup(database: Database, data_dir: string | null, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await migrate(database, (await allMigrations()).filter(migration => manifest.migrations.includes(migration.name)))
  await showMigrations(database)
  const tables = await backedTables(database)
  await refuseFilled(database, tables)
  await makeMonths(database, Object.fromEntries(Object.entries(manifest.months).filter(([name]) => tables.some(table => table.name === name))))
  for (const table of tables) {
    const saved = manifest.tables.find(other => other.name === table.name)
    if (saved) await fillTable(database, table, readTable(folder, saved))
  }
  await setSequences(database, manifest)
  if (data_dir !== null) await copyFiles(join(folder, 'files'), join(data_dir, 'files'))
  await proveEqual(database, manifest, folder)
  return manifest
}

/** Restores into a throw-away embedded database and compares: is this backup good? */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const database = await openDatabase({ data_dir: 'memory://' })
  try {
    return await restoreBackup(database, null, folder)
  } finally {
    await database.close()
  }
}

/** Proves a backup as far as this machine's memory allows: restored into memory and compared, or a huge one read against its checksums. */
export async function proveBackup(folder: string): Promise<'restored' | 'read'> {
  const manifest = await readManifest(folder)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  if (rows > most_in_memory) {
    await checkTables(folder, manifest)
    return 'read'
  }
  await verifyBackup(folder)
  return 'restored'
}

async function refuseFilled(database: Database, tables: readonly CatalogueTable[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await database.tenant<unknown, { rows: unknown[] }>(0, db => sql`select 1 from ${sql.table(name)} limit 1 /* all schools */`.execute(db))
    if (rows.length > 0) throw new Error(`the database is not empty: ${name} has rows; restore into a new one`)
  }
}

async function fillTable(database: Database, table: CatalogueTable, lines: AsyncIterable<Line>): Promise<void> {
  let school_id = 0
  let rows: string[] = []
  const flush = async () => {
    if (rows.length > 0) await insertRows(database, table, school_id, rows)
    rows = []
  }
  for await (const [tenant, row] of lines) {
    if (tenant !== school_id || rows.length >= chunk_rows) await flush()
    school_id = tenant
    rows.push(row)
  }
  await flush()
}

function insertRows(database: Database, table: CatalogueTable, school_id: number, rows: readonly string[]): Promise<unknown> {
  const columns = table.columns.filter(column => !column.generated).map(column => column.name)
  const names = sql.join(columns.map(name => sql.ref(name)))
  const values = sql.join(columns.map(name => sql`(r).${sql.ref(name)}`))
  return database.tenant<unknown, unknown>(school_id, db =>
    sql`insert into ${sql.table(table.name)} (${names}) overriding system value
      select ${values} from (select x::${sql.table(table.name)} as r from unnest(${rows}::text[]) x) s returning 1`.execute(db),
  )
}

function setSequences(database: Database, manifest: Manifest): Promise<void> {
  return database.owner(async db => {
    for (const [name, value] of Object.entries(manifest.sequences)) {
      if (value !== '0') await sql`select setval(${`public.${name}`}::regclass, ${value}::bigint)`.execute(db)
    }
  })
}

async function proveEqual(database: Database, manifest: Manifest, folder: string): Promise<void> {
  const hashes = await tableHashes(folder, database, manifest)
  const different = hashes.filter(row => row.saved !== row.restored).map(row => row.name)
  if (different.length > 0) throw new Error(`restored rows differ from the backup in: ${different.join(', ')}`)
}
