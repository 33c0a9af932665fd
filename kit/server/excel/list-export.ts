import { commonErrors, fail } from '@kit/contract'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { App, Ctx, FileReply, JobReply, Me, Note, Pre } from '../http/context.ts'
import { Port } from '../http/port.ts'
import { writeRows } from './export-rows.ts'
import type { ExportColumn } from './export-rows.ts'
import { direct_rows, headLines, reason_above, sheetName, xlsx } from './headed-sheet.ts'

/** Rows of one export made by a job, where the list does not say otherwise. */
export const job_rows = 200_000
/** Rows that an export reads in one transaction. */
export const rows_per_page = 500

/** Where a list is read for its export: on behalf of whoever asked, in short transactions of his school. */
export type ListDesk = { app: App; me: Me; school_id: number; now: Date; read<DB, R>(fn: (db: Kysely<DB>) => Promise<R>): Promise<R> }

/** A filtered list as it stands at one moment: what the head says, and its rows in their order, page after page. */
export type OpenedList = {
  title: string
  school_name: string
  /** counts the rows: 共3人 */
  unit?: string
  conditions: readonly string[]
  columns: readonly ExportColumn[]
  /** counted up to one more than an export may hold */
  total: number
  pages(): AsyncIterable<string[][]>
  /** what the line of the log says it was about */
  noted: Pick<Note, 'target_kind' | 'target_id' | 'target_name'>
}

/** A list that can be exported, whatever its length. `name` is unique in the product. */
export type ListExport = {
  name: string
  /** Many rows want a reason, and the file lives a day instead of seven (decision 26). */
  is_about_people: boolean
  /** rows of one export, where that is not `job_rows`; a sheet holds little more than a million */
  most_rows?: number
  open(desk: ListDesk, query: object): Promise<OpenedList>
}

/** Declares the export of a list; the query comes back as it was given, after JSON. */
export function listExport<Query extends object>({ open, ...facts }: Omit<ListExport, 'open'> & { open(desk: ListDesk, query: Query): Promise<OpenedList> }): ListExport {
  const kept = z.custom<Query>()
  return { ...facts, open: (desk, query) => open(desk, kept.parse(query)) }
}

/** Filled by every domain that has a list to be exported. */
export const listExportPort = new Port<ListExport>('excel.list_export')

export type ExportWish = { name: string; title: string; query: object; reason: string; total: number; is_about_people: boolean }
type Starter = { app: App; db: QueryExecutorProvider; me: Me; school_id: number; now: Date }

/** Filled by the owner of jobs: starts the job that exports a list, in the caller's transaction. Answers its number. */
export const exportJobPort = new Port<(ctx: Starter, wish: ExportWish) => Promise<string>>('excel.export_job')

/**
 * Exports a filtered list (chapter 10 J3): up to 5,000 rows at once, more by a job. The list is read before the request's transaction, the job starts in it.
 * @throws Refusal 422 without the reason that many people ask for, or for more rows than a job writes
 */
export async function exportList(pre: Pre, list: ListExport, query: object, reason: string): Promise<<DB>(ctx: Ctx<DB>) => Promise<FileReply | JobReply>> {
  const { me, app, now } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { name, is_about_people, most_rows = job_rows } = list
  const { school_id } = me
  const opened = await list.open({ app, me, school_id, now, read: fn => pre.own(school_id, fn) }, query)
  const { title, total } = opened
  pre.note({ ...opened.noted, ...(reason === '' ? {} : { reason }) })
  if (total > most_rows) throw fail(commonErrors.exportTooBig, { params: { n: most_rows.toLocaleString('en') } })
  if (is_about_people && total > reason_above && reason === '') throw fail(commonErrors.exportReason, { errors: [{ field: 'reason', msg: commonErrors.exportReason.msg }] })
  const file = total > direct_rows ? null : { file_name: sheetName(title, now), mime: xlsx, body: await writeRows({ ...sheetOf(opened, { me, now, reason }), rows: rowsOf(opened) }) }
  return async ctx => {
    // `open` has asked for it, with the same identity.
    ctx.scoped()
    if (file) return file
    const job_no = await exportJobPort.one(app)(ctx, { name, title, query, reason, total, is_about_people })
    ctx.note({ job_no })
    return { job_no }
  }
}

/** Sheet, head and columns of an opened list. */
export function sheetOf({ columns, ...list }: OpenedList, asked: { me: Me; now: Date; reason: string }): { sheet: string; head: string[]; columns: ExportColumn[] } {
  return { sheet: list.title, head: headLines({ ...list, ...asked }), columns: [...columns] }
}

async function* rowsOf(opened: OpenedList): AsyncGenerator<string[]> {
  for await (const page of opened.pages()) yield* page
}
