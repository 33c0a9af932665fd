import { openIdNo } from '@campus/people/server'
import { describeCatalogue } from '@kit/server/db'
import type { CatalogueTable } from '@kit/server/db'
import type { Secrets } from '@kit/server/secrets'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Columns that name the person a row is about. Who merely wrote a row (created_by) is not its subject. */
const subject_columns = ['user_id', 'subject_user_id', 'student_user_id', 'parent_user_id', 'teacher_user_id', 'person_id', 'uploaded_by']
/** Rows about somebody that name him otherwise. */
const named_otherwise: Readonly<Record<string, string>> = { operation_log: 'target_id', import_row: 'target_id' }
/** What opens something or proves something, and belongs to the installation rather than to the person. */
const never_told = /(hash|secret|token|sealed|_enc|_idx|keys|signature)$|^(totp|leaves)/
const never_read = new Set(['password_history', 'remember_token', 'ticket', 'upload_ticket', 'login_throttle', 'idempotency_key'])

export type HeldTable = { table: string; columns: string[]; rows: Record<string, unknown>[] }

/**
 * Every row of every table that is about a person of a school: found by the columns that name a subject, so that a table made tomorrow is found too. Identity numbers are
 * opened; hashes, tokens and secrets are left out.
 */
export async function heldAbout(db: Kysely<unknown>, secrets: Secrets, { school_id, user_id }: { school_id: number; user_id: string }): Promise<HeldTable[]> {
  const found: HeldTable[] = []
  for (const table of await describeCatalogue(db)) {
    if (table.is_view || table.partition_of !== null || never_read.has(table.name)) continue
    const rows = await rowsAbout(db, table, school_id, user_id)
    if (rows.length === 0) continue
    const shown = rows.map(row => readable(row, secrets, school_id))
    found.push({ table: table.name, columns: [...new Set(shown.flatMap(row => Object.keys(row)))], rows: shown })
  }
  return found
}

async function rowsAbout(db: Kysely<unknown>, { name, columns, primary_key }: CatalogueTable, school_id: number, user_id: string): Promise<Record<string, unknown>[]> {
  const names = new Set(columns.map(column => column.name))
  const subjects = [...subject_columns, ...(named_otherwise[name] ? [named_otherwise[name]] : [])].filter(column => names.has(column))
  if (subjects.length === 0) return []
  const about = sql.join(subjects.map(column => sql`${sql.ref(column)}::text = ${user_id}`), sql` or `)
  const here = names.has('school_id') ? sql`school_id = ${school_id} and` : sql``
  const order = primary_key.length > 0 ? sql`order by ${sql.join(primary_key.map(column => sql.ref(column)))}` : sql``
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)} where ${here} (${about}) ${order}`.execute(db)
  return rows
}

function readable(row: Record<string, unknown>, secrets: Secrets, school_id: number): Record<string, unknown> {
  const told = Object.entries(row).filter(([column, value]) => value !== null && !never_told.test(column) && !Buffer.isBuffer(value))
  const id_no = Buffer.isBuffer(row.id_no_enc) ? { id_no: openIdNo(secrets, school_id, row.id_no_enc) } : {}
  return { ...Object.fromEntries(told), ...id_no }
}
