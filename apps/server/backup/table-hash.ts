import { createHash } from 'node:crypto'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { readTable } from './archive.ts'
import type { Manifest } from './archive.ts'

/** Order-free hash of every table, once from the backup and once from the database. */
export async function tableHashes(folder: string, database: Database, manifest: Manifest): Promise<{ name: string; saved: string; restored: string }[]> {
  const restored = await sumsOf(database, manifest)
  const result = []
  for (const table of manifest.tables) {
    const saved = new Sum()
    for await (const [school_id, row] of readTable(folder, table)) saved.add(`${school_id} ${row}`)
    result.push({ name: table.name, saved: saved.text(), restored: restored.get(table.name)?.text() ?? '' })
  }
  return result
}

/** The rows of every table, school by school in one transaction each; what is behind no fence is read once. */
async function sumsOf(database: Database, { tables, schools }: Manifest): Promise<ReadonlyMap<string, Sum>> {
  const fenced = await fencedTables(database)
  const sums = new Map(tables.map(({ name }) => [name, new Sum()]))
  for (const school_id of new Set([0, ...schools])) {
    await database.tenant<unknown, void>(school_id, async db => {
      for (const [name, sum] of sums) {
        if (school_id !== 0 && !fenced.has(name)) continue
        const own = fenced.has(name) ? sql` where t.school_id = ${school_id}` : sql``
        const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t${own}`.execute(db)
        for (const { row } of rows) sum.add(`${school_id} ${row}`)
      }
    })
  }
  return sums
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

async function fencedTables(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.owner(db => sql<{ name: string }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`.execute(db))
  return new Set(rows.map(row => row.name))
}
