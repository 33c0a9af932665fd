import { openIdNo } from '@campus/people/server'
import { describeCatalogue } from '@kit/server/db'
import type { CatalogueTable } from '@kit/server/db'
import type { Secrets } from '@kit/server/secrets'
import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'

/** Columns that name the person a row is about. Who merely wrote a row (created_by, uploaded_by) is not its subject. */
const subject_columns = ['user_id', 'subject_user_id', 'student_user_id', 'parent_user_id', 'teacher_user_id', 'person_id']
/** What a line of a journal, a use of a file or an import calls a person whom it names by his account id. */
const person_kinds = ['account', 'people.person', 'people.student', 'people.staff', 'people.parent']
const person_templates = ['student', 'parent', 'staff']
/** LOG_OP 登录, 退出 */
const own_visits = [1, 2]

/** Tables in which a person may be named without being the subject: what is about him there. */
const about_in: Readonly<Record<string, (user_id: string, school_id: number) => RawBuilder<unknown>>> = {
  archive_log: user_id => sql`t.person_id::text = ${user_id}`,
  operation_log: user_id => sql`
    ((t.target_kind in (${sql.join(person_kinds)}) and t.target_id = ${user_id})
      or (t.user_id::text = ${user_id} and t.op_type in (${sql.join(own_visits)}) and (t.target_id is null or (t.target_kind in (${sql.join(person_kinds)}) and t.target_id = ${user_id}))))`,
  import_row: (user_id, school_id) => sql`
    t.target_id = ${user_id} and exists (select from import_batch b where b.school_id = ${school_id} and b.batch_no = t.batch_no and b.template in (${sql.join(person_templates)}))`,
  file_ref: user_id => sql`t.ref_kind in (${sql.join(person_kinds)}) and t.ref_id = ${user_id}`,
}
/** Journals say who did it: of anybody but the subject only the role is told. */
const journals: ReadonlySet<string> = new Set(['operation_log', 'archive_log'])
const of_the_doer: ReadonlySet<string> = new Set(['user_id', 'user_no', 'user_name', 'role_no', 'acted_for', 'ip', 'device_label', 'client'])

/** What opens something or proves something, and belongs to the installation rather than to the person. */
const never_told = /(hash|secret|token|sealed|_enc|_idx|keys|signature)$|^(totp|leaves)/
const never_read = new Set(['password_history', 'remember_token', 'ticket', 'upload_ticket', 'login_throttle', 'idempotency_key'])
/** The image from which an import is taken back is sealed in part, and says nothing that the row does not. */
const untold_in: Readonly<Record<string, readonly string[]>> = { import_row: ['before'] }

type Row = Record<string, unknown>
export type HeldTable = { table: string; columns: string[]; rows: Row[] }
type Subject = { school_id: number; user_id: string }

/**
 * Every row of every table that is about a person of a school: found by the columns that name a subject, so that a table made tomorrow is found too. Identity numbers are
 * opened; hashes, tokens and secrets are left out, and so is who else had to do with it.
 */
export async function heldAbout(db: Kysely<unknown>, secrets: Secrets, subject: Subject): Promise<HeldTable[]> {
  const found: HeldTable[] = []
  for (const table of await describeCatalogue(db)) {
    if (table.is_view || table.partition_of !== null || never_read.has(table.name)) continue
    const rows = await rowsAbout(db, table, subject)
    if (rows.length > 0) found.push(shownTable(table.name, rows.map(row => readable(table.name, row, secrets, subject))))
  }
  const files = await filesOf(db, found, subject)
  return files.length === 0 ? found : [...found, shownTable('file_object', files.map(row => readable('file_object', row, secrets, subject)))]
}

/** Keys of the files that rows about a person name. */
export function fileKeys(tables: readonly HeldTable[]): string[] {
  const named = tables.flatMap(({ rows }) => rows.flatMap(row => Object.entries(row).flatMap(([column, value]) => (/(^|_)(file_key|photo)$/.test(column) && typeof value === 'string' && value !== '' ? [value] : []))))
  return [...new Set(named)]
}

function shownTable(table: string, rows: Row[]): HeldTable {
  return { table, columns: [...new Set(rows.flatMap(row => Object.keys(row)))], rows }
}

async function rowsAbout(db: Kysely<unknown>, { name, columns, primary_key }: CatalogueTable, { school_id, user_id }: Subject): Promise<Row[]> {
  const names = new Set(columns.map(column => column.name))
  const subjects = subject_columns.filter(column => names.has(column))
  const about = about_in[name]?.(user_id, school_id) ?? (subjects.length === 0 ? null : sql.join(subjects.map(column => sql`${sql.ref(`t.${column}`)}::text = ${user_id}`), sql` or `))
  if (!about) return []
  const here = names.has('school_id') ? sql`t.school_id = ${school_id} and` : sql``
  const order = primary_key.length > 0 ? sql`order by ${sql.join(primary_key.map(column => sql.ref(`t.${column}`)))}` : sql``
  const { rows } = await sql<Row>`select t.* from ${sql.table(name)} t where ${here} (${about}) ${order}`.execute(db)
  return rows
}

/** The files that rows about him name, whoever put them there; not those that he put there for others. */
async function filesOf(db: Kysely<unknown>, found: readonly HeldTable[], { school_id }: Subject): Promise<Row[]> {
  const keys = fileKeys(found)
  if (keys.length === 0) return []
  const { rows } = await sql<Row>`
    select file_key, purpose, kind, mime, size, width, height, uploaded_at from file_object where school_id = ${school_id} and file_key in (${sql.join(keys)}) order by file_key`.execute(db)
  return rows
}

function readable(table: string, row: Row, secrets: Secrets, { school_id, user_id }: Subject): Row {
  const is_by_other = journals.has(table) && String(row.user_id ?? '') !== user_id
  const is_told = (column: string) => !never_told.test(column) && !untold_in[table]?.includes(column) && !(is_by_other && of_the_doer.has(column))
  const told = Object.entries(row).filter(([column, value]) => value !== null && !Buffer.isBuffer(value) && is_told(column))
  const id_no = Buffer.isBuffer(row.id_no_enc) ? { id_no: openIdNo(secrets, school_id, row.id_no_enc) } : {}
  return { ...Object.fromEntries(told), ...id_no }
}
