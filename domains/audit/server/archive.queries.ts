import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { fit, jsonb, logId, rowHash } from './log-row.ts'
import { maskText } from './masking/mask-values.ts'

/** One changed field of a person; protected values are masked by `archive` before they are written. */
export type ArchiveChange = { field: string; label: string; before: unknown; after: unknown }

/** One operation on one person, for the archive journal. */
export type ArchiveRow = {
  person_kind: number
  person_id: string
  person_no?: string
  person_name: string
  dept_id?: string
  /** as it was then */
  dept_name?: string
  /** LOG_OP */
  op_type: number
  changes?: readonly ArchiveChange[]
  command_id?: string
  source: 'typed' | 'import' | 'sync' | 'registration' | 'promotion' | 'merge' | 'id_derived' | 'collect' | 'command' | 'undo'
  batch_no?: string
}

/** Who acted and in which request; absent in work that runs by itself. */
export type ArchiveOperator = {
  school_id: number
  at: Date
  request_id?: string
  user_id?: string
  user_no?: string
  user_name?: string
  role_no?: string
  role_name?: string
  acted_for?: string
  ip?: string
}

const columns = [
  'school_id', 'happened_at', 'log_id', 'person_kind', 'person_id', 'person_no', 'person_name', 'dept_id', 'dept_name', 'op_type', 'changes', 'fields',
  'command_id', 'source', 'batch_no', 'request_id', 'user_id', 'user_no', 'user_name', 'role_no', 'role_name', 'acted_for', 'ip', 'row_hash',
]
const batch_size = 500

/**
 * Writes archive journal rows in the caller's transaction, 500 a statement. Phones and identity numbers in the changes are masked for ever;
 * whoever must hide more (addresses, grades) masks it before.
 */
export async function archive(db: QueryExecutorProvider, operator: ArchiveOperator, rows: readonly ArchiveRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batch_size) {
    const lines = rows.slice(from, from + batch_size).map(row => {
      const values = archiveValues(operator, row)
      return sql`(${sql.join([...values, rowHash(values)])})`
    })
    await sql`insert into archive_log (${sql.join(columns.map(name => sql.ref(name)))}) values ${sql.join(lines)}`.execute(db)
  }
}

function archiveValues(by: ArchiveOperator, row: ArchiveRow): unknown[] {
  const changes = (row.changes ?? []).map(change => ({ ...change, before: maskSide(change.before), after: maskSide(change.after) }))
  return [
    by.school_id, by.at, logId(by.at), row.person_kind, row.person_id, fit(row.person_no, 50), fit(row.person_name, 50), row.dept_id ?? null,
    fit(row.dept_name, 200), row.op_type, jsonb(changes), changes.map(change => change.field), row.command_id ?? null, row.source, fit(row.batch_no, 40),
    by.request_id ?? null, by.user_id ?? null, fit(by.user_no, 50), fit(by.user_name, 50), by.role_no ?? null, fit(by.role_name, 20),
    by.acted_for ?? null, fit(by.ip, 45),
  ]
}

function maskSide(value: unknown): unknown {
  return typeof value === 'string' ? maskText(value) : value
}
