import { insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { lineOf } from './log-columns.ts'
import { fit, jsonValue, logId } from './log-row.ts'
import type { Bytes } from './log-row.ts'
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

const batch_size = 500

/**
 * Writes archive journal rows in the caller's transaction, 500 a statement. Phones and identity numbers in the changes are masked for ever;
 * whoever must hide more (addresses, grades) masks it before.
 */
export async function archive(db: QueryExecutorProvider, operator: ArchiveOperator, rows: readonly ArchiveRow[]): Promise<void> {
  await archiveAll(db, rows.map(row => ({ operator, row })))
}

/** Writes rows of many operations, likewise: for data that is made rather than lived through; `bytes` makes the same ids every time. */
export async function archiveAll(db: QueryExecutorProvider, rows: readonly { operator: ArchiveOperator; row: ArchiveRow }[], bytes?: Bytes): Promise<void> {
  for (let from = 0; from < rows.length; from += batch_size) {
    const lines = rows.slice(from, from + batch_size).map(({ operator, row }) => lineOf('archive_log', archiveValues(operator, row, bytes)))
    await insertMany(db, 'archive_log', lines)
  }
}

function archiveValues(by: ArchiveOperator, row: ArchiveRow, bytes?: Bytes): Record<string, unknown> {
  const changes = (row.changes ?? []).map(change => ({ ...change, before: maskSide(change.before), after: maskSide(change.after) }))
  return {
    school_id: by.school_id,
    happened_at: by.at,
    log_id: logId(by.at, bytes),
    person_kind: row.person_kind,
    person_id: row.person_id,
    person_no: fit(row.person_no, 50),
    person_name: fit(row.person_name, 50),
    dept_id: row.dept_id,
    dept_name: fit(row.dept_name, 200),
    op_type: row.op_type,
    changes: jsonValue(changes),
    fields: changes.map(change => change.field),
    command_id: row.command_id,
    source: row.source,
    batch_no: fit(row.batch_no, 40),
    request_id: by.request_id?.toLowerCase(),
    user_id: by.user_id,
    user_no: fit(by.user_no, 50),
    user_name: fit(by.user_name, 50),
    role_no: by.role_no,
    role_name: fit(by.role_name, 20),
    acted_for: by.acted_for,
    ip: fit(by.ip, 45),
  }
}

function maskSide(value: unknown): unknown {
  return typeof value === 'string' ? maskText(value) : value
}
