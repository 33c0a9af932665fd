import type { Operation } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { fit, jsonb, logId, rowHash } from './log-row.ts'
import { maskChange, maskText } from './masking/mask-values.ts'

const columns = [
  'school_id', 'happened_at', 'log_id', 'request_id', 'user_id', 'user_no', 'user_name', 'role_no', 'role_name', 'client', 'ip', 'device_label',
  'op_type', 'module_code', 'call', 'target_kind', 'target_id', 'target_name', 'ok', 'code', 'msg', 'before', 'after', 'reason', 'batch_no', 'job_no',
  'duration_ms', 'row_hash',
]

/**
 * Writes one line of the operation log inside the given transaction (chapter 10 A1). Phones and identity numbers are masked,
 * secrets become a dot, of a change only the changed fields are kept.
 */
export async function writeOperation(db: QueryExecutorProvider, school_id: number, operation: Operation): Promise<void> {
  const values = operationValues(school_id, operation)
  const row = [...values, rowHash(values)]
  await sql`insert into operation_log (${sql.join(columns.map(name => sql.ref(name)))}) values (${sql.join(row)})`.execute(db)
}

function operationValues(school_id: number, operation: Operation): unknown[] {
  const { request, happened_at } = operation
  const change = maskChange(operation.before, operation.after)
  return [
    school_id, happened_at, logId(happened_at), request.request_id, operation.user_id ?? null, fit(operation.user_no, 50), fit(operation.user_name, 50),
    operation.role_no ?? null, fit(operation.role_name, 20), request.client, fit(request.ip, 45), fit(request.device_label, 60),
    operation.op_type, operation.call.split('.')[0], operation.call, fit(operation.target_kind, 40), fit(operation.target_id, 60),
    masked(operation.target_name, 100), operation.ok, operation.code, masked(operation.msg, 300), jsonb(change.before), jsonb(change.after),
    masked(operation.reason, 100), fit(operation.batch_no, 40), fit(operation.job_no, 40), operation.duration_ms,
  ]
}

function masked(text: string | undefined, length: number): string | null {
  return fit(text === undefined ? undefined : maskText(text), length)
}
