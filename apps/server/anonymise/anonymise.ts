import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeCatalogue, openDatabase } from '@kit/server/db'
import type { CatalogueTable, Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { writeBackup } from '../backup/backup.ts'
import { restoreBackup } from '../backup/restore.ts'
import { as_is, kept_tables, more_rules, stale_work } from './rules.ts'

const holds_text = /char|text|json|bytea|citext/

export type Anonymised = { kept: number; emptied: number; rows: number }

/**
 * Makes a harmless backup out of a real one, for tests and demonstrations: invented names, numbers, phones and addresses, nobody's password, nothing of journals,
 * messages, files and secrets. No database of the installation is opened; everything happens in a folder beside the target, which is removed in the end.
 * @throws Error in one line when the target is there already, or a column of a kept table is not known to be harmless
 */
export async function anonymiseBackup(source: string, target: string): Promise<Anonymised> {
  if (existsSync(target)) throw new Error(`${target} is there already: name a new folder`)
  const bench = `${target}.unfinished`
  await rm(bench, { recursive: true, force: true })
  await mkdir(bench, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ data_dir: join(bench, 'db'), durable: false })
  try {
    await restoreBackup(database, null, source)
    const done = await anonymise(database)
    const { tables } = await writeBackup(database, bench, target)
    return { ...done, rows: tables.reduce((sum, table) => sum + table.rows, 0) }
  } finally {
    await database.close()
    await rm(bench, { recursive: true, force: true })
  }
}

/** Works on a copy that nobody uses; as the owner, over all schools at once. */
async function anonymise(database: Database): Promise<Omit<Anonymised, 'rows'>> {
  return database.owner(async db => {
    const tables = (await describeCatalogue(db)).filter(table => !table.is_view && table.partition_of === null)
    const unknown = unknownColumns(tables)
    if (unknown.length > 0) throw new Error(`nothing says what becomes of ${unknown.join(', ')}: name them in apps/server/anonymise/rules.ts`)
    const kept = tables.filter(({ name }) => name in kept_tables)
    const emptied = tables.filter(({ name }) => !(name in kept_tables)).map(({ name }) => name)
    await liftFence(db, tables)
    const referred = await loosen(db, kept, emptied)
    await sql`truncate ${sql.join(emptied.filter(name => !referred.has(name)).map(name => sql.table(name)))}`.execute(db)
    for (const name of referred) await sql`delete from ${sql.table(name)}`.execute(db)
    await sql.raw(stale_work).execute(db)
    for (const table of kept) await rewrite(db, table)
    await lowerFence(db, tables)
    return { kept: kept.length, emptied: emptied.length }
  })
}

/** Columns of kept tables that hold text and stand in no rule; columns that follow from others are not asked for. */
export function unknownColumns(tables: readonly CatalogueTable[]): string[] {
  return tables.flatMap(({ name, columns }) => {
    const rules = kept_tables[name]
    if (!rules) return []
    return columns.filter(column => holds_text.test(column.type) && !column.generated && rules[column.name] === undefined).map(column => `${name}.${column.name}`)
  })
}

/** The fence binds the owner too; in the copy it stands open while the rows are rewritten. */
async function liftFence(db: Kysely<unknown>, tables: readonly CatalogueTable[]): Promise<void> {
  for (const { name, rls } of tables) if (rls) await sql`alter table ${sql.table(name)} no force row level security`.execute(db)
}

async function lowerFence(db: Kysely<unknown>, tables: readonly CatalogueTable[]): Promise<void> {
  for (const { name, rls } of tables) if (rls) await sql`alter table ${sql.table(name)} force row level security`.execute(db)
}

/** What a kept row says of a row that goes (the command that made it) is forgotten. @returns the tables that were referred to */
async function loosen(db: Kysely<unknown>, kept: readonly CatalogueTable[], emptied: readonly string[]): Promise<ReadonlySet<string>> {
  const referred = new Set<string>()
  for (const { name, foreign_keys } of kept) {
    for (const key of foreign_keys.filter(one => emptied.includes(one.table))) {
      const columns = key.columns.filter(column => column !== 'school_id')
      await sql`update ${sql.table(name)} set ${sql.join(columns.map(column => sql`${sql.ref(column)} = null`))} where ${sql.join(columns.map(column => sql`${sql.ref(column)} is not null`), sql` or `)}`.execute(db)
      referred.add(key.table)
    }
  }
  return referred
}

async function rewrite(db: Kysely<unknown>, { name, columns }: CatalogueTable): Promise<void> {
  const rules = { ...kept_tables[name], ...more_rules[name] }
  const changed = columns.flatMap(column => {
    const rule = rules[column.name]
    return rule === undefined || rule === as_is ? [] : [sql`${sql.ref(column.name)} = ${sql.raw(rule)}`]
  })
  if (changed.length > 0) await sql`update ${sql.table(name)} set ${sql.join(changed)}`.execute(db)
}
