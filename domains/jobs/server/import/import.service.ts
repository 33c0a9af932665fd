import { extname } from 'node:path'
import { jobsErrors } from '@campus/jobs/contract'
import type { importApi, ImportBatch, ImportRow } from '@campus/jobs/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { writeErrorSheet, writeTemplate } from '@kit/server/excel'
import type { FileReply, Me, Pre } from '@kit/server/http'
import type { JobsCtx } from '../db.ts'
import { enqueueJob } from '../enqueue.ts'
import type { ImportTemplate, ReadStep, ImportColumn as TemplateColumn } from '@kit/server/excel'
import { apply_kind, applyLane } from './apply.job.ts'
import { optionsOf, usableBatch, usableTemplate, visibleOwner } from './batch-access.ts'
import type { UsableBatch } from './batch-access.ts'
import { changeBatch, lockBatch, pageBatches } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { columnsOf, showBatch, showRow } from './batch-view.ts'
import { shownCells } from './kept-line.ts'
import { openKept } from './kept-sheet.ts'
import { pageRows, problemRows } from './row.queries.ts'
import type { StoredRow } from './row.queries.ts'
import { lineReader, placeOf, planOf, unreadSheets } from './read-plan.ts'
import type { ReadPlan } from './read-plan.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The template to fill in: notes, headers, drop-downs and a sample line. */
export async function templateFile(pre: Pre, code: string): Promise<FileReply> {
  const me = signedIn(pre)
  const template = usableTemplate(pre.app, me, code)
  const columns = await template.use(one => readColumns(pre, me, one, new Set()))
  const samples = columns.some(({ sample }) => sample !== undefined) ? [columns.map(({ sample }) => sample ?? '')] : []
  const { sheet, notes, file_name } = template
  return { file_name, mime: xlsx, body: await writeTemplate({ sheet, notes, columns: columns.map(sheetColumn), samples }) }
}

/** Batches of the caller, newest first; of everybody with jobs.batch.view_all. */
export async function listBatches(ctx: JobsCtx, query: Input<typeof importApi.batches>): Promise<{ list: ImportBatch[]; total: number }> {
  const { list, total } = await pageBatches(ctx.db, ctx.school_id, { ...query, created_by: query.mine ? ctx.me.user_id : visibleOwner(ctx.me) })
  return { list: list.map(row => showBatch(ctx.app, row, ctx.me)), total }
}

/** One batch; 404 for somebody else's. */
export async function readBatch(ctx: JobsCtx, batch_no: string): Promise<ImportBatch> {
  const { batch } = await usableBatch(ctx.app, ctx.me, ctx.db, batch_no, 'see')
  return showBatch(ctx.app, batch, ctx.me)
}

/** Rows in the order of the file; texts of rows without a copy of their own come from the file (empty when it is gone). */
export async function listRows(pre: Pre, query: Input<typeof importApi.rows>): Promise<{ list: ImportRow[]; total: number }> {
  const me = signedIn(pre)
  const flags = { only_warn: query.only_warn === '1', only_recheck: query.only_recheck === '1', only_blocked: query.only_blocked === '1' }
  const found = await pre.own<unknown, { batch: BatchRow; list: StoredRow[]; total: number }>(me.school_id, async db => {
    const { batch } = await usableBatch(pre.app, me, db, query.batch_no, 'see')
    return { batch, ...(await pageRows(db, batch, { ...query, ...flags })) }
  })
  const cells = await cellsOf(pre, found.batch, found.list)
  const plan = planOf(found.batch)
  return { list: found.list.map(row => showRow(plan, row, cells(row))), total: found.total }
}

/**
 * Starts the apply of a batch without open errors; batches of one template wait for each other. `accept_unread`: sheets that were not read
 * are left out knowingly.
 * @throws Refusal 409 batchBusy, batchNotParsed, batchHasErrors, sheetsUnread
 */
export async function applyBatch(ctx: JobsCtx, { batch_no, accept_unread }: Input<typeof importApi.apply>): Promise<ImportBatch> {
  const { template } = await usableBatch(ctx.app, ctx.me, ctx.db, batch_no, 'change')
  const batch = await lockBatch(ctx.db, { school_id: ctx.school_id, batch_no })
  if (batch.state === 'applying' || batch.state === 'parsing') throw fail(jobsErrors.batchBusy)
  if (batch.state !== 'parsed') throw fail(jobsErrors.batchNotParsed)
  if (batch.rows_error > 0) throw fail(jobsErrors.batchHasErrors, { params: { n: batch.rows_error } })
  const unread = unreadSheets(planOf(batch))
  if (unread.length > 0 && !accept_unread) throw fail(jobsErrors.sheetsUnread, { params: { names: unread.map(({ name, rows }) => `“${name}”（${rows}行）`).join('、') } })
  const total = batch.rows_new + batch.rows_change
  const job_no = await enqueueJob(ctx, { kind: apply_kind, title: `${template.title}：${batch.file_name}`, params: { batch_no }, total, lane: applyLane(template.code) })
  const started = await changeBatch(ctx.db, batch, ['parsed'], { state: 'applying', message: null, job_no })
  if (!started) throw fail(jobsErrors.batchNotParsed)
  ctx.note({ target_kind: 'import_batch', target_id: batch_no, target_name: batch.file_name, batch_no, job_no })
  return showBatch(ctx.app, started, ctx.me)
}

/** The rows that were not or cannot be imported, as uploaded, with 行号, 错误字段, 错误原因. */
export async function errorSheet(pre: Pre, batch_no: string): Promise<FileReply> {
  const me = signedIn(pre)
  const { batch, template, rows } = await pre.own<unknown, UsableBatch & { rows: StoredRow[] }>(me.school_id, async db => {
    const found = await usableBatch(pre.app, me, db, batch_no, 'see')
    return { ...found, rows: await problemRows(db, found.batch, found.batch.state === 'applied') }
  })
  const columns = await template.use(one => readColumns(pre, me, one, optionsOf(batch)))
  const cells = await cellsOf(pre, batch, rows)
  const plan = planOf(batch)
  const body = await writeErrorSheet({
    template: { sheet: template.sheet, notes: template.notes, columns: columns.map(sheetColumn) },
    rows: rows.map(row => ({ ...placeOf(plan, row.row_no), cells: columns.map(({ prop, secret }) => (secret ? '' : (cells(row)[prop] ?? ''))), ...reasonsOf(plan, row) })),
  })
  return { file_name: `${batch.file_name.slice(0, -extname(batch.file_name).length || undefined)}_错误表.xlsx`, mime: xlsx, body }
}

function reasonsOf(plan: ReadPlan, row: StoredRow): { fields: string[]; reasons: string[] } {
  const { errors, needs_recheck } = showRow(plan, row, {})
  if (errors.length === 0) return { fields: [], reasons: [needs_recheck ? '需重新核对' : '未导入'] }
  return { fields: [...new Set(errors.flatMap(({ label }) => label || []))], reasons: errors.map(({ msg }) => msg) }
}

async function readColumns<W, P, S>(pre: Pre, me: Me, template: ImportTemplate<unknown, W, P, S>, options: ReadonlySet<string>): Promise<TemplateColumn[]> {
  const { app, now } = pre
  const words = await pre.own<unknown, W>(me.school_id, db => template.words({ db, school_id: me.school_id, me, now, app, options } satisfies ReadStep<unknown>))
  return template.columns(words)
}

/** The texts of rows that may be shown: their own copy, else the file's; the file is opened only when a row needs it. */
async function cellsOf(pre: Pre, batch: BatchRow, rows: readonly StoredRow[]): Promise<(row: StoredRow) => Record<string, string>> {
  const sheet = rows.some(row => row.raw === null) ? await openKept(pre.app, batch) : null
  const columns = columnsOf(batch)
  const read = sheet ? lineReader(sheet, planOf(batch), columns.map(({ secret: _secret, ...column }) => ({ ...column, text: false }))) : null
  return row => shownCells(columns, row, read?.(row.row_no).cells ?? {})
}

function sheetColumn({ label, prop, required, options, text, note }: TemplateColumn) {
  return { label, prop, required, options: options ?? undefined, text, note }
}

function signedIn({ me }: Pre): Me {
  if (!me) throw fail(commonErrors.unauthorized)
  return me
}
