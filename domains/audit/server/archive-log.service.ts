import type { ArchiveLogDetail, archiveLogApi, ArchiveLogRow } from '@campus/audit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { archive_row_columns, archiveAsked, changedFields, countArchiveDays, findArchive, lifeLines } from './archive-log.queries.ts'
import type { StoredArchive } from './archive-log.queries.ts'
import { archiveChanges } from './change-text.ts'
import type { LogDesk } from './db.ts'
import { countNewer, readPage } from './log-page.ts'
import { spanOf } from './log-span.ts'
import { requestLines } from './system-log.queries.ts'
import { showOperations } from './system-log.service.ts'

type Api = typeof archiveLogApi

/** A page of the archive journal, newest first. */
export async function listArchive(desk: LogDesk, query: Input<Api['page']>): Promise<Reply<Api['page']>> {
  const page = await readPage<StoredArchive>(desk.db, archiveAsked(desk, query), archive_row_columns, query)
  return { ...page, list: page.list.map(showArchive) }
}

/** The strip above the journal. */
export async function archiveDays(desk: LogDesk, query: Input<Api['days']>): Promise<Reply<Api['days']>> {
  return { list: await countArchiveDays(desk, spanOf(query, desk.now)) }
}

/** How many lines came since a page was read. */
export async function newerArchive(desk: LogDesk, { since, ...query }: Input<Api['newer']>): Promise<Reply<Api['newer']>> {
  return { n: await countNewer(desk.db, archiveAsked(desk, query), since) }
}

/** The fields that changed in a span: what the filter offers. */
export async function archiveFields(desk: LogDesk, query: Input<Api['fields']>): Promise<Reply<Api['fields']>> {
  return { list: await changedFields(desk, spanOf(query, desk.now)) }
}

/** A line, the life of its person and the request it came from. @throws Refusal 404 */
export async function readArchive(desk: LogDesk, log_id: string): Promise<ArchiveLogDetail> {
  const row = await findArchive(desk, log_id)
  if (!row) throw fail(commonErrors.notFound)
  const life = await lifeLines(desk, row.person_id)
  const chain = row.request_id === null ? [] : await requestLines(desk, row.request_id, row.happened_at)
  return { row: showArchive(row), life: life.map(showArchive), chain: await showOperations(desk, chain) }
}

/** A line as the wire shows it. */
export function showArchive(row: StoredArchive): ArchiveLogRow {
  return { ...row, happened_at: row.happened_at.toISOString(), changes: archiveChanges(row.changes) }
}
