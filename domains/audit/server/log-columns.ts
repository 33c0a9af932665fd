import { wellFormedValue } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { rowHash } from './log-row.ts'

/** The two journals, and the columns over which the hash of a row is made, in this order for ever. */
const log_columns = {
  operation_log: [
    'school_id', 'happened_at', 'log_id', 'request_id', 'user_id', 'user_no', 'user_name', 'role_no', 'role_name', 'acted_for', 'client', 'ip', 'device_label',
    'op_type', 'module_code', 'call', 'target_kind', 'target_id', 'target_name', 'ok', 'code', 'msg', 'before', 'after', 'reason', 'batch_no', 'job_no',
    'duration_ms',
  ],
  archive_log: [
    'school_id', 'happened_at', 'log_id', 'person_kind', 'person_id', 'person_no', 'person_name', 'dept_id', 'dept_name', 'op_type', 'changes', 'fields',
    'command_id', 'source', 'batch_no', 'request_id', 'user_id', 'user_no', 'user_name', 'role_no', 'role_name', 'acted_for', 'ip',
  ],
} as const
export type LogTable = keyof typeof log_columns
export const log_tables = ['operation_log', 'archive_log'] as const satisfies readonly LogTable[]

const json_columns: readonly string[] = ['before', 'after', 'changes']
export type StoredLine = Record<string, unknown> & { log_id: string; happened_at: string; row_hash: Buffer }

/** A line to insert: its values under their names, jsonb as text, with the hash of them all; texts as the database gives them back. */
export function lineOf(table: LogTable, values: Record<string, unknown>): Record<string, unknown> {
  const columns = log_columns[table].map(name => [name, wellFormedValue(values[name] ?? null)] as const)
  const written = columns.map(([name, value]) => [name, json_columns.includes(name) && value !== null ? JSON.stringify(value) : value] as const)
  return { ...Object.fromEntries(written), row_hash: rowHash(columns.map(([, value]) => value)) }
}

/** The columns of a stored line as its hash takes them: the instant as text, since a Date has no microseconds. */
export function storedColumns(table: LogTable): RawBuilder<StoredLine> {
  const at = sql`to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as happened_at`
  return sql.join([...log_columns[table].map(name => (name === 'happened_at' ? at : sql.ref(name))), sql.ref('row_hash')])
}

/** The hash of a stored line, made from what stands in it now. */
export function hashOfStored(table: LogTable, line: StoredLine): Buffer {
  return rowHash(log_columns[table].map(name => line[name]))
}
