import { join } from 'node:path'
import { readBuild } from '@kit/server/config'
import { describeCatalogue, readMonths } from '@kit/server/db'
import type { CatalogueTable, Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { allMigrations } from '../boot.ts'
import { knownSchools } from '../known-schools.ts'
import { missingMigrations } from '../schema-state.ts'
import { copyFiles, hashFiles, openFolder, openTable, writeManifest } from './archive.ts'
import type { Manifest } from './archive.ts'

const page_rows = 2000
const cursor = sql`backup_rows`
const root = join(import.meta.dirname, '../../..')

/**
 * Writes a backup of the whole installation while it runs; each school is read in one snapshot.
 * Works alike on the embedded engine and on PostgreSQL, through the app role and its fence: nobody needs the owner's password for it.
 */
export async function writeBackup(database: Database, data_dir: string, folder: string, origin?: Manifest['origin']): Promise<Manifest> {
  await openFolder(folder)
  const tables = await backedTables(database)
  const schools = await knownSchools(database)
  const writers = new Map(tables.map(table => [table.name, openTable(folder, table.name)]))
  for (const school_id of [0, ...schools]) {
    const fenced = tables.filter(table => table.rls || school_id === 0)
    await readTenant(database, school_id, fenced.map(table => table.name), async (name, row) => writers.get(name)?.add([school_id, row]))
  }
  const written: Manifest['tables'] = []
  for (const writer of writers.values()) written.push(await writer.finish())
  await copyFiles(join(data_dir, 'files'), join(folder, 'files'))
  const migrations = await allMigrations()
  const missing = new Set(await missingMigrations(database, migrations))
  const manifest: Manifest = {
    format: 1,
    version: readBuild(root).version,
    made_at: new Date().toISOString(),
    origin,
    migrations: migrations.map(({ name }) => name).filter(name => !missing.has(name)),
    schools,
    tables: written,
    files: await hashFiles(join(folder, 'files')),
    sequences: await readSequences(database),
    months: await database.tenant(0, readMonths, { read_only: true }),
  }
  await writeManifest(folder, manifest)
  return manifest
}

/** Tables of the product, parents before children; those that refer to one another in any order. */
export async function backedTables(database: Database): Promise<CatalogueTable[]> {
  const all = (await database.tenant(0, describeCatalogue, { read_only: true })).filter(table => !table.is_view && table.partition_of === null)
  const sorted: CatalogueTable[] = []
  const seen = new Set<CatalogueTable>()
  const visit = (table: CatalogueTable) => {
    if (seen.has(table)) return
    seen.add(table)
    for (const key of table.foreign_keys) {
      const parent = all.find(other => other.name === key.table)
      if (parent) visit(parent)
    }
    sorted.push(table)
  }
  for (const table of all) visit(table)
  return sorted
}

/** One school (or the installation, 0) in one snapshot, table after table. */
async function readTenant(database: Database, school_id: number, names: readonly string[], take: (name: string, row: string) => Promise<void>): Promise<void> {
  await database.tenant<unknown, void>(
    school_id,
    async db => {
      await sql`set transaction isolation level repeatable read`.execute(db)
      for (const name of names) await readTable(db, name, row => take(name, row))
    },
    { read_only: true },
  )
}

/** By a cursor: pages by offset would sort the whole table again for each of them. */
async function readTable(db: Kysely<unknown>, name: string, take: (row: string) => Promise<void>): Promise<void> {
  await sql`declare ${cursor} cursor for select t::text as row from ${sql.table(name)} t /* all schools */`.execute(db)
  for (let is_more = true; is_more; ) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(page_rows)} from ${cursor}`.execute(db)
    for (const { row } of rows) await take(row)
    is_more = rows.length === page_rows
  }
  await sql`close ${cursor}`.execute(db)
}

async function readSequences(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.tenant<unknown, { rows: { name: string; value: string }[] }>(0, db =>
    sql<{ name: string; value: string }>`
      select sequencename as name, coalesce(last_value, 0)::text as value from pg_sequences where schemaname = 'public' order by 1`.execute(db),
  )
  return Object.fromEntries(rows.map(row => [row.name, row.value]))
}
