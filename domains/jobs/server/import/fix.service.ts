import { jobsErrors } from '@campus/jobs/contract'
import type { importApi, ImportBatch, ImportRow } from '@campus/jobs/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { JobsCtx } from '../db.ts'
import type { ImportTemplate, Issue } from '@kit/server/excel'
import { optionsOf, usableBatch } from './batch-access.ts'
import type { UsableBatch } from './batch-access.ts'
import { lockBatch, recount } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { showBatch, showRow } from './batch-view.ts'
import { findDuplicates } from './duplicates.ts'
import { openLine, shownCells } from './kept-line.ts'
import { openKept } from './kept-sheet.ts'
import { keyHasher } from './parse.job.ts'
import { benchOf, checkRow, counter, judgementOf, mendLine, parsedRows, verdictOf } from './row-verdict.ts'
import type { Bench, CheckedRow, RowVerdict } from './row-verdict.ts'
import { findRow, rowsHolding, saveVerdicts } from './row.queries.ts'
import type { StoredRow, StoredVerdict } from './row.queries.ts'
import { hiddenRows, lineReader, planOf, rowNamer } from './read-plan.ts'
import type { SheetText } from './sheet-text.ts'

type FixInput = Input<typeof importApi.fix>
type Fixed = { batch: ImportBatch; row: ImportRow }

/** A row may share keys with many others; beyond this number they keep what the dry run said of them. */
const most_related = 200
const most_holders = 2000

/**
 * Mends cells of one row, or leaves it out, and judges it and the rows that share or shared a key with it again, against the
 * database as it is now.
 * @throws Refusal 404 batchNotFound, rowNotFound; 409 batchNotParsed; 400 for a cell of an unknown column
 */
export async function fixRow(pre: Pre, input: FixInput): Promise<(ctx: JobsCtx) => Promise<Fixed>> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { batch, template } = await pre.own<unknown, UsableBatch>(me.school_id, db => usableBatch(pre.app, me, db, input.batch_no, 'change'))
  const sheet = await openKept(pre.app, batch)
  if (!sheet) throw fail(jobsErrors.batchNotFound)
  return ctx => template.use(one => fixInside(ctx, one, sheet, input))
}

async function fixInside<W, P, S>(ctx: JobsCtx, template: ImportTemplate<unknown, W, P, S>, sheet: SheetText, input: FixInput): Promise<Fixed> {
  const batch = await lockBatch(ctx.db, { school_id: ctx.school_id, batch_no: input.batch_no })
  if (batch.state !== 'parsed') throw fail(jobsErrors.batchNotParsed)
  const stored = await findRow(ctx.db, batch, input.row_no)
  if (!stored) throw fail(jobsErrors.rowNotFound)
  const facts = { db: ctx.db, school_id: ctx.school_id, me: ctx.me, now: ctx.now, app: ctx.app, options: optionsOf(batch) }
  const words = await template.words(facts)
  const plan = planOf(batch)
  const bench = benchOf(ctx, template, words, hiddenRows(plan))
  const read = lineReader(sheet, plan, bench.columns)
  const checkStored = (row: StoredRow) => checkRow(bench, row.row_no, () => openLine(ctx, row) ?? read(row.row_no), row.raw !== null)
  const mended = mend(bench, checkStored(stored), input.cells)
  const is_skipped = input.skip ?? (stored.verdict === 'skipped' && input.cells === undefined)

  const related = await relatedRows(ctx, batch, stored, mended)
  const rows = [mended, ...related.map(checkStored)]
  const snapshot = await template.load(facts, parsedRows(rows))
  const counted = counter(bench, rows)
  const judge = (row: CheckedRow<P>, duplicates: readonly Issue[]) => verdictOf(bench, row, duplicates, judgementOf(bench, row, snapshot, counted))
  const verdicts = await judgeRelated(ctx, batch, judge, rows, is_skipped)
  await saveVerdicts(ctx.db, batch, verdicts)
  const figures = await recount(ctx.db, batch)
  const saved = await findRow(ctx.db, batch, input.row_no)
  if (!saved) throw fail(jobsErrors.rowNotFound)
  return { batch: showBatch(ctx.app, figures, ctx.me), row: showRow(plan, saved, shownCells(bench.columns, saved, mended.line().cells)) }
}

function mend<W, P, S>(bench: Bench<W, P, S>, row: CheckedRow<P>, cells: FixInput['cells']): CheckedRow<P> {
  if (cells === undefined) return row
  const known = new Set(bench.columns.map(({ prop }) => prop))
  const unknown = Object.keys(cells).filter(prop => !known.has(prop))
  if (unknown.length > 0) throw fail(commonErrors.malformed, { errors: unknown.map(field => ({ field, msg: '没有这一列' })) })
  const texts = Object.fromEntries(Object.entries(cells).map(([prop, text]) => [prop, text.trim()]))
  const line = mendLine(bench.columns, row.line(), texts)
  return checkRow(bench, row.row_no, () => line, true)
}

/** Rows that share a key with the row as it was or as it is now. */
async function relatedRows<P>(ctx: JobsCtx, batch: BatchRow, stored: StoredRow, mended: CheckedRow<P>): Promise<StoredRow[]> {
  const hash = keyHasher(ctx.app, batch)
  const keys = new Set([...stored.keys, ...mended.keys.map(({ key }) => hash(key))])
  const rows = await rowsHolding(ctx.db, batch, [...keys], most_related + 1)
  return rows.filter(({ row_no }) => row_no !== stored.row_no)
}

/** `rows[0]` is the mended one; a skipped row claims nothing. */
async function judgeRelated<P>(ctx: JobsCtx, batch: BatchRow, judge: (row: CheckedRow<P>, duplicates: readonly Issue[]) => RowVerdict, rows: CheckedRow<P>[], is_skipped: boolean): Promise<StoredVerdict[]> {
  const hash = keyHasher(ctx.app, batch)
  const row_nos = new Set(rows.map(({ row_no }) => row_no))
  const all_keys = new Set(rows.flatMap(({ keys }) => keys.map(({ key }) => hash(key))))
  const holders = await rowsHolding(ctx.db, batch, [...all_keys], most_holders)
  const others = holders.filter(({ row_no }) => !row_nos.has(row_no))
  const taking_part = is_skipped ? rows.slice(1) : rows
  const duplicates = findDuplicates(taking_part, hash, { others, named: rowNamer(planOf(batch)) })
  return rows.map((row, at) => ({
    ...judge(row, duplicates.get(row.row_no) ?? []),
    keys: row.keys.map(({ key }) => hash(key)),
    is_skipped: at === 0 && is_skipped,
  }))
}
