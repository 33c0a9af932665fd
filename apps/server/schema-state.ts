import type { Database, Migration } from '@kit/server/db'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'

const missing_or_closed = new Set(['42P01', '42501'])

const show_lock = 20261123

/** Lets the app role see which migrations ran; run by the owner after migrating. Servers that start at the same moment do it one after the other. */
export async function showMigrations({ app_role, owner }: Database): Promise<void> {
  await owner(db => db.transaction().execute(async step => {
    await sql`select pg_advisory_xact_lock(${show_lock})`.execute(step)
    const { rows } = await sql<{ is_shown: boolean }>`select has_table_privilege(${app_role}, 'kysely_migration', 'select') as is_shown`.execute(step)
    if (!rows[0]?.is_shown) await sql`grant select on kysely_migration to ${sql.id(app_role)}`.execute(step)
  }))
}

/** The migrations of this build that the database lacks, as the app role sees it: a server needs no owner for that. */
export async function missingMigrations(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  const names = migrations.map(({ name }) => name)
  const known = await database.tenant<unknown, string[]>(0, ranMigrations, { read_only: true }).catch((error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && missing_or_closed.has(String(error.code))) return []
    throw error
  })
  return names.filter(name => !known.includes(name))
}

async function ranMigrations(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}
