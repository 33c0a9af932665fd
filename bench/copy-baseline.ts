import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { timed } from './measure.ts'
import { scratchFolder } from './product.ts'

/** Tables an import of new pupils writes, and the column that says whose row it is; parents before children. */
const tables = [
  ['account', 'user_id'],
  ['account_school', 'user_id'],
  ['school_user', 'user_id'],
  ['person', 'user_id'],
  ['student', 'user_id'],
  ['parent', 'user_id'],
  ['student_span', 'user_id'],
  ['dept_member', 'user_id'],
  ['guardian_link', 'student_user_id'],
  ['archive_log', 'person_id'],
] as const

/** A database by the superuser's address; `name` replaces the database in it. */
export function named(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Makes a database as a copy of another one that nobody uses. */
export async function copyDatabase(admin_url: string, from: string, to: string): Promise<void> {
  await withClient(admin_url, client => client.query(`create database ${to} template ${from}`))
}

/**
 * Writes the rows that `filled` has and `empty` has not into `empty` by COPY in one transaction, indexes and constraints as they are.
 * @returns milliseconds of the COPYs and how many rows they wrote
 */
export async function copyRows(empty: string, filled: string): Promise<{ ms: number; rows: number }> {
  // The server writes and reads these files itself, as its own user.
  const folder = scratchFolder('copy')
  chmodSync(folder, 0o777)
  const last = await withClient(empty, async client => (await client.query('select max(user_id)::text as last from account')).rows[0].last)
  const pieces = await withClient(filled, async client => {
    const made: { table: string; columns: string; file: string }[] = []
    for (const [table, owner] of tables) {
      const piece = { table, columns: await columnsOf(client, table), file: join(folder, table) }
      await client.query(`copy (select ${piece.columns} from ${table} where ${owner} > ${last}) to '${piece.file}'`)
      made.push(piece)
    }
    return made
  })
  return withClient(empty, async client => {
    let rows = 0
    const ms = await timed(async () => {
      await client.query('begin')
      for (const { table, columns, file } of pieces) rows += (await client.query(`copy ${table} (${columns}) from '${file}'`)).rowCount ?? 0
      await client.query('commit')
    })
    return { ms, rows }
  })
}

async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  return rows[0].columns
}

async function withClient<R>(url: string, work: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
