import { writeFile } from 'node:fs/promises'
import { jobsErrors } from '@campus/jobs/contract'
import { fail } from '@kit/contract'
import { importTemplatePort, writeTemplate } from '@kit/server/excel'
import type { AnyTemplate, Cells, ImportTemplate, Issue, ReadStep } from '@kit/server/excel'
import type { App, Me, Pre } from '@kit/server/http'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { addWork } from '../due-work.ts'
import { oneAtATime, undoUntil } from './apply.job.ts'
import { changeBatch, insertBatch, recount } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { gridColumns } from './batch-view.ts'
import { findDuplicates } from './duplicates.ts'
import { keyHasher } from './parse.job.ts'
import { benchOf, checkRow, counter, judgementOf, parsedRows, verdictOf } from './row-verdict.ts'
import type { Bench, CheckedRow, RowVerdict } from './row-verdict.ts'
import { saveOutcomes, saveVerdicts } from './row.queries.ts'
import { dropBatchAt, freshBatchNo } from './upload.service.ts'

const first_row = 3
const day_ms = 86_400_000

/** Lines of other roads into the archive, as the sheet of a template would hold them; `name` is what the batch is called. */
export type DirectLines = { template: string; name: string; lines: readonly Cells[] }
/** What importing each line does, in the order of the lines. */
export type DirectVerdict = Omit<RowVerdict, 'raw' | 'row_no' | 'basis'>
export type DirectBatch = { batch_no: string; verdicts: DirectVerdict[] }
/** Who imports, in which transaction; the handle may be typed to any tables. */
type Desk = Omit<ReadStep<unknown>, 'db' | 'options'> & { db: QueryExecutorProvider }

/** What importing each of these lines alone would do today; writes nothing. @throws Refusal 404 for an unknown template */
export function judgeLines(desk: Desk, code: string, lines: readonly Cells[]): Promise<DirectVerdict[]> {
  return templateOf(desk.app, code).use(async template => (await judged(desk, template, lines, true)).verdicts)
}

/** The columns of a template as somebody would fill them today. */
export function linesColumns(desk: Desk, code: string) {
  return templateOf(desk.app, code).use(async template => template.columns(await template.words(stepOf(desk))))
}

/** What is wrong with one line for itself, the database not asked. */
export function checkLine(desk: Desk, code: string, cells: Cells): Promise<{ prop: string; msg: string }[]> {
  return templateOf(desk.app, code).use(async template => template.check(await template.words(stepOf(desk)), cells, first_row).errors)
}

/**
 * Imports lines as one batch of the same kind, with the same checks and the same undo as an uploaded sheet; all or nothing. What is returned runs
 * in the request's transaction; the sheet, which the batch shows later, is kept before. The caller has asked for his own permission.
 * `refused` answers the refusal when lines have errors; `more` names errors that the caller himself sees in each verdict. @throws Refusal 404 for an unknown template
 */
export async function importLines(pre: Pre, me: Me, { template: code, name, lines }: DirectLines, refused: (verdicts: DirectVerdict[]) => Error) {
  const { app, now } = pre
  const { school_id } = me
  const found = templateOf(app, code)
  const columns = await pre.own<unknown, Awaited<ReturnType<typeof linesColumns>>>(school_id, db => linesColumns({ db, school_id, me, now, app }, code))
  const path = app.files.scratch()
  await writeFile(path, await writeTemplate({ sheet: found.sheet, notes: found.notes, columns: columns.map(({ options, ...column }) => ({ ...column, ...(options ? { options } : {}) })), samples: lines.map(cells => columns.map(({ prop }) => cells[prop] ?? '')) }))
  const file_key = await app.files.keep(path, school_id, 'import', '.xlsx')
  await pre.own<unknown, void>(school_id, db => addWork(db, { school_id, kind: 'import_orphan', ref: file_key, due_at: new Date(now.getTime() + day_ms) }))
  return (desk: Desk, more: (verdicts: DirectVerdict[]) => DirectVerdict['errors'][]): Promise<DirectBatch> => found.use(async template => {
    const ctx = stepOf(desk)
    await oneAtATime(ctx.db, { school_id, template: code })
    const bench = await judged(ctx, template, lines)
    const own = more(bench.verdicts)
    const verdicts = bench.verdicts.map((verdict, at) => ({ ...verdict, errors: [...(own[at] ?? []), ...verdict.errors] }))
    if (verdicts.some(({ errors }) => errors.length > 0)) throw refused(verdicts)
    return applyAll(ctx, { file_key, file_name: `${name}.xlsx` }, bench)
  })
}

type Judged<W, P, S> = { bench: Bench<W, P, S>; rows: CheckedRow<P>[]; snapshot: S; stored: RowVerdict[]; verdicts: DirectVerdict[] }

async function judged<W, P, S>(desk: Desk, template: ImportTemplate<unknown, W, P, S>, lines: readonly Cells[], apart = false): Promise<Judged<W, P, S>> {
  const step = stepOf(desk)
  const words = await template.words(step)
  const bench = benchOf(step, template, words)
  const rows = lines.map((cells, at) => checkRow(bench, at + first_row, () => ({ cells: { ...cells }, flaws: [] }), false))
  const duplicates = apart ? new Map<number, Issue[]>() : findDuplicates(rows, key => key)
  const counted = apart ? () => 0 : counter(bench, rows)
  const snapshot = await template.load(step, parsedRows(rows))
  const stored = rows.map(row => verdictOf(bench, row, duplicates.get(row.row_no) ?? [], judgementOf(bench, row, snapshot, counted)))
  return { bench, rows, snapshot, stored, verdicts: stored.map(({ verdict, target_id, diff, errors, warnings }) => ({ verdict, target_id, diff, errors, warnings })) }
}

async function applyAll<W, P, S>(ctx: ReadStep<unknown>, file: { file_key: string; file_name: string }, { bench, rows, snapshot, stored, verdicts }: Judged<W, P, S>): Promise<DirectBatch> {
  const { db, school_id, me, now, app } = ctx
  const { template, columns } = bench
  const batch = await freshBatchNo(ctx, batch_no => insertBatch(db, {
    ...file, school_id, batch_no, template: template.code, columns: JSON.stringify(gridColumns(columns)), params: JSON.stringify({ options: [] }),
    created_by: me.user_id, created_by_name: me.user_name, created_at: now,
  }))
  const key = { school_id, batch_no: batch }
  const hash = keyHasher(app, key)
  const keys = new Map(rows.map(row => [row.row_no, row.keys.map(one => hash(one.key))]))
  await saveVerdicts(db, key, stored.map(row => ({ ...row, keys: keys.get(row.row_no) ?? [] })))
  const writing = rows.flatMap(row => {
    const judgement = judgementOf(bench, row, snapshot, () => 0)
    const { parsed } = row.checked
    return judgement && parsed !== null && judgement.verdict !== 'same' ? [{ row_no: row.row_no, parsed, judgement }] : []
  })
  const applied = writing.length === 0 ? [] : await template.apply({ ...ctx, batch_no: batch, job_no: '' }, writing, snapshot)
  if (applied.length < writing.length) throw fail(jobsErrors.batchBusy)
  const said = new Map(stored.map(row => [row.row_no, row.verdict]))
  await saveOutcomes(db, key, applied.map(({ row_no, target_id, before, touched }) => ({ row_no, verdict: said.get(row_no) ?? 'new', outcome: 'applied', target_id, before, touched: touched ?? [], errors: [] })))
  await recount(db, key)
  await changeBatch(db, key, ['uploaded'], { state: 'applied', applied_at: now, undo_until: undoUntil(now) } satisfies Partial<BatchRow>)
  await addWork(db, { school_id, kind: 'import_drop', ref: batch, due_at: dropBatchAt(now) })
  const targets = new Map(applied.map(row => [row.row_no, row.target_id]))
  return { batch_no: batch, verdicts: verdicts.map((verdict, at) => ({ ...verdict, target_id: targets.get(at + first_row) ?? verdict.target_id })) }
}

function templateOf(app: App, code: string): AnyTemplate {
  const template = importTemplatePort.all(app).find(one => one.code === code)
  if (!template) throw fail(jobsErrors.unknownTemplate)
  return template
}

function stepOf({ db, school_id, me, now, app }: Desk): ReadStep<unknown> {
  return { db: asTables<unknown>(db), school_id, me, now, app, options: new Set() }
}
