import type { CatalogueTable, Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { readTable } from './archive.ts'
import type { Line, Manifest } from './archive.ts'

const chunk_rows = 500

/**
 * Fills the empty tables with the rows of a backup. Tables whose foreign keys lead back to themselves, directly or through others, are found in the
 * catalogue: a backup has its rows in no order, so their keys are checked when all rows of a school are there.
 * @param tables parents before children
 */
export async function fillTables(database: Database, tables: readonly CatalogueTable[], manifest: Manifest, folder: string): Promise<void> {
  const parents = new Map(tables.map(({ name, foreign_keys }) => [name, foreign_keys.map(key => key.table)]))
  const filled = new Set<string>()
  for (const table of tables) {
    const cycle = tables.filter(other => reaches(parents, table.name, other.name) && reaches(parents, other.name, table.name))
    filled.add(table.name)
    if (cycle.some(other => !filled.has(other.name))) continue
    const sources = (cycle.length > 0 ? cycle : [table]).map(one => new Source(one, folder, manifest))
    await withDeferredKeys(database, cycle, () => fillTogether(database, sources, manifest.schools))
  }
}

/** Whether a row of one table may refer, directly or through others, to a row of the other. */
function reaches(parents: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const open = [...(parents.get(from) ?? [])]
  const seen = new Set(open)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true
    for (const next of parents.get(name) ?? []) {
      if (!seen.has(next)) open.push(next)
      seen.add(next)
    }
  }
  return false
}

/** Lets the keys among these tables wait for the end of a transaction while `fill` runs. */
async function withDeferredKeys(database: Database, cycle: readonly CatalogueTable[], fill: () => Promise<void>): Promise<void> {
  const names = new Set(cycle.map(table => table.name))
  const alter = (state: 'deferrable initially deferred' | 'not deferrable') => database.owner(async db => {
    for (const { name, foreign_keys } of cycle) {
      for (const key of foreign_keys.filter(one => names.has(one.table))) {
        await sql`alter table ${sql.table(name)} alter constraint ${sql.ref(key.name)} ${sql.raw(state)}`.execute(db)
      }
    }
  })
  if (cycle.length > 0) await alter('deferrable initially deferred')
  await fill()
  if (cycle.length > 0) await alter('not deferrable')
}

/** One transaction a school holds its rows of all these tables. */
async function fillTogether(database: Database, sources: readonly Source[], schools: readonly number[]): Promise<void> {
  for (const school_id of new Set([0, ...schools])) {
    await database.tenant<unknown, void>(school_id, async db => {
      for (const source of sources) await fillSchool(db, source, school_id)
    })
  }
  for (const { table, is_done } of sources) if (!is_done) throw new Error(`backup is damaged: ${table.name} has rows of a school that it does not name`)
}

async function fillSchool(db: Kysely<unknown>, source: Source, school_id: number): Promise<void> {
  for (let rows = await source.take(school_id); rows.length > 0; rows = await source.take(school_id)) await insertRows(db, source.table, rows)
}

function insertRows(db: Kysely<unknown>, table: CatalogueTable, rows: readonly string[]): Promise<unknown> {
  const columns = table.columns.filter(column => !column.generated).map(column => column.name)
  const names = sql.join(columns.map(name => sql.ref(name)))
  const values = sql.join(columns.map(name => sql`(r).${sql.ref(name)}`))
  return sql`insert into ${sql.table(table.name)} (${names}) overriding system value
    select ${values} from (select x::${sql.table(table.name)} as r from unnest(${rows}::text[]) x) s returning 1`.execute(db)
}

/** The rows of one table in a backup, which has them school by school. */
class Source {
  readonly table: CatalogueTable
  #lines: AsyncIterator<Line> | undefined
  #next: Line | undefined
  #is_begun = false
  constructor(table: CatalogueTable, folder: string, manifest: Manifest) {
    this.table = table
    const saved = manifest.tables.find(other => other.name === table.name)
    if (saved) this.#lines = readTable(folder, saved)[Symbol.asyncIterator]()
  }

  get is_done(): boolean {
    return this.#is_begun && this.#next === undefined
  }

  /** The next rows of this school; none when the next row is another's. */
  async take(school_id: number): Promise<string[]> {
    if (!this.#is_begun) await this.#advance()
    const rows: string[] = []
    while (this.#next?.[0] === school_id && rows.length < chunk_rows) {
      rows.push(this.#next[1])
      await this.#advance()
    }
    return rows
  }

  async #advance(): Promise<void> {
    this.#is_begun = true
    const step = await this.#lines?.next()
    this.#next = step === undefined || step.done === true ? undefined : step.value
  }
}
