import { insertMany } from '@kit/server/db'
import type { Operation } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { lineOf } from './log-columns.ts'
import { fit, jsonValue, logId } from './log-row.ts'
import type { Bytes } from './log-row.ts'
import { maskChange, maskText } from './masking/mask-values.ts'

const lines_per_statement = 500

/**
 * Writes one line of the operation log inside the given transaction (chapter 10 A1). Phones and identity numbers are masked,
 * secrets become a dot, of a change only the changed fields are kept.
 */
export async function writeOperation(db: QueryExecutorProvider, school_id: number, operation: Operation): Promise<void> {
  await writeOperations(db, school_id, [operation])
}

/** Writes many lines, 500 a statement: for data that is made rather than lived through; `bytes` makes the same ids every time. */
export async function writeOperations(db: QueryExecutorProvider, school_id: number, operations: readonly Operation[], bytes?: Bytes): Promise<void> {
  for (let from = 0; from < operations.length; from += lines_per_statement) {
    const lines = operations.slice(from, from + lines_per_statement).map(operation => lineOf('operation_log', operationValues(school_id, operation, bytes)))
    await insertMany(db, 'operation_log', lines)
  }
}

function operationValues(school_id: number, operation: Operation, bytes?: Bytes): Record<string, unknown> {
  const { request, happened_at } = operation
  const change = maskChange(operation.before, operation.after)
  return {
    school_id,
    happened_at,
    log_id: logId(happened_at, bytes),
    request_id: request.request_id.toLowerCase(),
    user_id: operation.user_id,
    user_no: fit(operation.user_no, 50),
    user_name: fit(operation.user_name, 50),
    role_no: operation.role_no,
    role_name: fit(operation.role_name, 20),
    acted_for: operation.acted_for,
    client: request.client,
    ip: fit(request.ip, 45),
    device_label: fit(request.device_label, 60),
    op_type: operation.op_type,
    module_code: operation.call.split('.')[0],
    call: operation.call,
    target_kind: fit(operation.target_kind, 40),
    target_id: fit(operation.target_id, 60),
    target_name: masked(operation.target_name, 100),
    ok: operation.ok,
    code: operation.code,
    msg: masked(operation.msg, 300),
    before: jsonValue(change.before),
    after: jsonValue(change.after),
    reason: masked(operation.reason, 100),
    batch_no: fit(operation.batch_no, 40),
    job_no: fit(operation.job_no, 40),
    duration_ms: operation.duration_ms,
  }
}

function masked(text: string | undefined, length: number): string | null {
  return fit(text === undefined ? undefined : maskText(text), length)
}
