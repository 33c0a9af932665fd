import { join } from 'node:path'
import { makeMonths, openDatabase } from '@kit/server/db'
import type { CatalogueTable, Database } from '@kit/server/db'
import { migrate } from '@kit/server/db'
import { sql } from 'kysely'
import { allMigrations } from '../boot.ts'
import { showMigrations } from '../schema-state.ts'
import { checkBackup, copyFiles, readManifest } from './archive.ts'
import type { Manifest } from './archive.ts'
import { backedTables } from './backup.ts'
import { fillTables } from './restore-rows.ts'
import { tableHashes } from './table-hash.ts'

/** More rows than these are not restored into memory for a proof. */
const most_in_memory = 2_000_000

/**
 * Puts a backup into an empty database and proves it: every table's rows are read back and compared with the backup.
 * @throws Error when the database is not empty, the backup is damaged, or a table differs afterwards
 */
export async function restoreBackup(database: Database, data_dir: string | null, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await checkBackup(folder, manifest)
  await migrate(database, (await allMigrations()).filter(migration => manifest.migrations.includes(migration.name)))
  await showMigrations(database)
  const tables = await backedTables(database)
  await refuseFilled(database, tables)
  await makeMonths(database, Object.fromEntries(Object.entries(manifest.months).filter(([name]) => tables.some(table => table.name === name))))
  await fillTables(database, tables, manifest, folder)
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
    await checkBackup(folder, manifest)
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
