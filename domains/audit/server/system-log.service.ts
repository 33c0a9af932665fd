import type { OperationDetail, OperationRow, systemLogApi } from '@campus/audit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { archiveOfRequest } from './archive-log.queries.ts'
import { archiveChanges, operationChanges } from './change-text.ts'
import type { LogDesk } from './db.ts'
import { countNewer, readPage } from './log-page.ts'
import { spanOf } from './log-span.ts'
import { withActedFor } from './person-names.ts'
import { countDays, findOperation, objectLines, operation_row_columns, operationsAsked, requestLines } from './system-log.queries.ts'
import type { StoredOperation } from './system-log.queries.ts'

type Api = typeof systemLogApi

/** A page of the operation log, newest first. */
export async function listOperations(desk: LogDesk, query: Input<Api['page']>): Promise<Reply<Api['page']>> {
  const page = await readPage<StoredOperation>(desk.db, operationsAsked(desk, query), operation_row_columns, query)
  return { ...page, list: await showOperations(desk, page.list) }
}

/** The strip above the log: the operations of each day, whatever the filters. */
export async function operationDays(desk: LogDesk, query: Input<Api['days']>): Promise<Reply<Api['days']>> {
  return { list: await countDays(desk, spanOf(query, desk.now), query.routine) }
}

/** How many lines came since a page was read. */
export async function newerOperations(desk: LogDesk, { since, ...query }: Input<Api['newer']>): Promise<Reply<Api['newer']>> {
  return { n: await countNewer(desk.db, operationsAsked(desk, query), since) }
}

/** A line with its change, its request and the other operations on the same object. @throws Refusal 404 */
export async function readOperation(desk: LogDesk, log_id: string): Promise<OperationDetail> {
  const found = await findOperation(desk, log_id)
  if (!found) throw fail(commonErrors.notFound)
  const { request_id, before, after, ...row } = found
  const persons = await archiveOfRequest(desk, request_id, row.happened_at)
  const labels = new Map(persons.flatMap(line => archiveChanges(line.changes).map(({ field, label }) => [field, label] as const)))
  const { target_kind, target_id } = row
  const same = target_kind !== null && target_id !== null ? await objectLines(desk, target_kind, target_id) : []
  const [shown] = await showOperations(desk, [row])
  if (!shown) throw fail(commonErrors.notFound)
  return {
    row: shown,
    changes: operationChanges(before, after, labels),
    chain: await showOperations(desk, await requestLines(desk, request_id, row.happened_at)),
    persons: persons.map(line => ({ log_id: line.log_id, person_name: line.person_name, op_type: line.op_type, fields: archiveChanges(line.changes).length })),
    same_object: await showOperations(desk, same),
  }
}

/** Lines as the wire shows them. */
export async function showOperations(desk: LogDesk, rows: readonly StoredOperation[]): Promise<OperationRow[]> {
  return (await withActedFor(desk, rows)).map(row => ({ ...row, happened_at: row.happened_at.toISOString() }))
}
