import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { propertyOf } from './database-error.ts'
import { putUpFence, relationIds } from './fence.ts'
import { runScript } from './kysely-driver.ts'
import type { Migration } from './migration-files.ts'

/**
 * Runs what has not run yet, as owner, all in one transaction: each migration's sql, then the fence around its new tables, then its links.
 * Several processes may call it at once: one migrates, the others wait and find nothing to do. Throws an Error that names the migration
 * and the line; nothing is kept then. Answers the names that ran.
 */
export async function migrate(database: Database, migrations: Migration[]): Promise<{ applied: string[] }> {
  return database.owner(async (db) => {
    if (await isComplete(db, migrations)) return { applied: [] }
    const { error, results = [] } = await migratorOf(db, database.app_role, migrations).migrateToLatest()
    if (error !== undefined) throw error
    return { applied: results.map((result) => result.migrationName) }
  })
}

/**
 * Whether exactly these ran: then a start is spared the migrator, which reads every column of the schema twice before it finds nothing to do.
 * A name that only the database knows is left to the migrator, which refuses it.
 */
async function isComplete(db: Kysely<unknown>, migrations: Migration[]): Promise<boolean> {
  const { rows: [table] } = await sql<{ is_there: boolean }>`select to_regclass('public.kysely_migration') is not null as is_there`.execute(db)
  if (!table?.is_there) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = new Set(migrations.map(({ name }) => name))
  return rows.length === names.size && rows.every(({ name }) => names.has(name))
}

/** Every migration with the moment it ran, null when it has not. */
export async function migrationStatus(database: Database, migrations: Migration[]): Promise<{ name: string; applied_at: Date | null }[]> {
  return database.owner(async (db) => {
    const known = await migratorOf(db, database.app_role, migrations).getMigrations()
    return known.map(({ name, executedAt }) => ({ name, applied_at: executedAt ?? null }))
  })
}

function migratorOf(db: Kysely<unknown>, app_role: string, migrations: Migration[]): Migrator {
  const provided = migrations.map((migration) => [migration.name, { up: (inner: Kysely<unknown>) => runMigration(inner, app_role, migration) }] as const)
  // Domains are merged in any order, so a migration of an older date may arrive after a newer one.
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(provided) }, allowUnorderedMigrations: true })
}

async function runMigration(db: Kysely<unknown>, app_role: string, { name, sql: part, links }: Migration): Promise<void> {
  try {
    const before = await relationIds(db)
    await runPart(db, part, '')
    await putUpFence(db, app_role, before)
    if (links) await runPart(db, links, ' of its links')
  } catch (error) {
    throw new Error(`migration ${name} failed${messageOf(error)}`, { cause: error })
  }
}

async function runPart(db: Kysely<unknown>, text: string, part: string): Promise<void> {
  if (text.trim() === '') return
  try {
    await runScript(db, text)
  } catch (error) {
    const position = Number(propertyOf(error, 'position'))
    if (!(position > 0)) throw error
    const line = text.slice(0, position).split('\n').length
    throw new Error(`at line ${line}${part}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith('at line') ? ` ${message}` : `: ${message}`
}
