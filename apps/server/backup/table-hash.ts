import { createHash } from 'node:crypto'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { readTable } from './archive.ts'
import type { Manifest } from './archive.ts'

/** Order-free hash of every table, once from the backup and once from the database. */
export async function tableHashes(folder: string, database: Database, manifest: Manifest): Promise<{ name: string; saved: string; restored: string }[]> {
  const result = []
  for (const table of manifest.tables) {
    const saved = new Sum()
    for await (const [school_id, row] of readTable(folder, table)) saved.add(`${school_id} ${row}`)
    const restored = new Sum()
    for (const school_id of new Set([0, ...manifest.schools])) {
      for (const row of await rowsOf(database, table.name, school_id)) restored.add(`${school_id} ${row}`)
    }
    result.push({ name: table.name, saved: saved.text(), restored: restored.text() })
  }
  return result
}

/** Adds up hashes, so that the order of rows does not matter; counts them too. */
class Sum {
  #total = 0n
  #rows = 0
  add(text: string): void {
    this.#total += BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 24)}`)
    this.#rows += 1
  }

  text(): string {
    return `${this.#rows}:${this.#total.toString(16)}`
  }
}

async function rowsOf(database: Database, table: string, school_id: number): Promise<string[]> {
  const fenced = await isFenced(database, table)
  if (!fenced && school_id !== 0) return []
  const { rows } = await database.tenant<unknown, { rows: { row: string }[] }>(school_id, db => sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(db))
  return rows.map(row => row.row)
}

async function isFenced(database: Database, table: string): Promise<boolean> {
  const { rows } = await database.owner(db => sql<{ fenced: boolean }>`select relrowsecurity as fenced from pg_class where oid = ${`public.${table}`}::regclass`.execute(db))
  return rows[0]?.fenced ?? false
}
