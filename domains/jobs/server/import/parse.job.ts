import { createHmac, createSecretKey } from 'node:crypto'
import { jobsErrors } from '@campus/jobs/contract'
import { keepPlans } from '@kit/server/db'
import { SheetRefused } from '@kit/server/excel'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import { deskPort } from '../desk.ts'
import { addWork } from '../due-work.ts'
import type { ImportTemplate, ImportColumn as TemplateColumn } from '@kit/server/excel'
import type { JobFacts, JobKind, JobRun } from '../job-kind.ts'
import { fileOf, optionsOf, usableTemplate } from './batch-access.ts'
import { changeBatch, findBatch, recount } from './batch.queries.ts'
import type { BatchKey, BatchRow } from './batch.queries.ts'
import { gridColumns } from './batch-view.ts'
import { findDuplicates } from './duplicates.ts'
import { benchOf, checkRow, counter, judgementOf, parsedRows, verdictOf } from './row-verdict.ts'
import type { Bench, CheckedRow } from './row-verdict.ts'
import { lastRowNo, saveVerdicts } from './row.queries.ts'
import type { StoredVerdict } from './row.queries.ts'
import type { SheetText } from './sheet-text.ts'
import { hiddenRows, lineReader, plannedRows, planReading, rowNamer } from './read-plan.ts'
import type { ReadPlan } from './read-plan.ts'
import { mapInSlices, pieces } from './slices.ts'

export const parse_kind = 'import_parse'
export const rows_per_step = 500
const rows_per_load = 1000
const day_ms = 86_400_000
const kept_parsed_days = 7
const BatchParams = z.object({ batch_no: z.string() })

/** Which batch a job of this domain works on. */
export function batchOf(job: JobFacts): BatchKey {
  return { school_id: job.school_id, batch_no: BatchParams.parse(job.params).batch_no }
}

/** Reads an uploaded file and says of every row what importing it would do; writes nothing but the batch itself (J2). */
export const parseJob: JobKind = {
  kind: parse_kind,
  is_quiet: true,
  async run(job) {
    const batch = await beginParse(job)
    const sheet = await openSheet(job, batch)
    await usableTemplate(job.app, job.me, batch.template).use(template => dryRun(job, batch, template, sheet))
  },
  async ended(db, job, { state, msg }) {
    if (state === 'succeeded') return
    await changeBatch(db, batchOf(job), ['uploaded', 'parsing'], { state: 'failed', message: msg ?? '已取消' })
  },
}

async function beginParse(job: JobRun): Promise<BatchRow> {
  const key = batchOf(job)
  await job.step<unknown>(async db => {
    await changeBatch(db, key, ['uploaded'], { state: 'parsing' })
    return { done: 0 }
  })
  await job.stage('读取文件')
  const batch = await job.read<unknown, BatchRow | undefined>(db => findBatch(db, key, null))
  return batch ?? job.refuse(jobsErrors.batchNotFound.msg)
}

function openSheet(job: JobRun, batch: BatchRow): Promise<SheetText> {
  return orRefuse(job, () => deskPort.one(job.app).sheets.open(fileOf(job.app, batch)))
}

async function orRefuse<T>(job: JobRun, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SheetRefused) return refuse(job, error.message)
    throw error
  }
}

async function refuse(job: JobRun, message: string): Promise<never> {
  await job.step<unknown>(async db => {
    await changeBatch(db, batchOf(job), ['parsing'], { state: 'refused', message })
    return { done: 0 }
  })
  return job.refuse(message)
}

async function dryRun<W, P, S>(job: JobRun, batch: BatchRow, template: ImportTemplate<unknown, W, P, S>, sheet: SheetText): Promise<void> {
  const facts = stepFacts(job, batch)
  const words = await job.read<unknown, W>(db => template.words({ ...facts, db }))
  const columns = template.columns(words)
  const plan = await planSheets(job, sheet, columns)
  const row_nos = plannedRows(sheet, plan)

  await job.stage('检查数据', row_nos.length)
  const bench = benchOf(job, template, words, hiddenRows(plan))
  const read = lineReader(sheet, plan, columns)
  const rows = await mapInSlices(row_nos, row_no => checkRow(bench, row_no, () => read(row_no), false))
  await job.stage('与现有数据比对')
  const judged = await beginJudging(job, bench, rows, rowNamer(plan))
  const begun_at = await job.read<unknown, number>(db => lastRowNo(db, batch))
  for (const piece of pieces(rows.filter(({ row_no }) => row_no > begun_at), rows_per_load)) {
    const snapshot = await job.read<unknown, S>(db => template.load({ ...facts, db }, parsedRows(piece)))
    const verdicts = await mapInSlices(piece, row => judged(row, snapshot))
    for (const part of pieces(verdicts, rows_per_step)) await saveStep(job, batch, part)
  }
  await finishParse(job, batch, columns, plan)
}

async function planSheets(job: JobRun, sheet: SheetText, columns: readonly TemplateColumn[]): Promise<ReadPlan> {
  const plan = await orRefuse(job, async () => planReading(sheet, columns))
  return typeof plan === 'string' ? refuse(job, plan) : plan
}

/** What every step of a run gives to the template, but the handle. */
export function stepFacts(job: JobRun, batch: BatchRow) {
  return { school_id: job.school_id, me: job.me, now: job.app.clock.now(), app: job.app, options: optionsOf(batch) }
}

/** Prepares what needs the whole file: duplicates and tallies. */
async function beginJudging<W, P, S>(job: JobRun, bench: Bench<W, P, S>, rows: readonly CheckedRow<P>[], named: (row_no: number) => string): Promise<(row: CheckedRow<P>, snapshot: S) => StoredVerdict> {
  const hash = keyHasher(job.app, batchOf(job))
  const keys = new Map(await mapInSlices(rows, row => [row.row_no, row.keys.map(({ key }) => hash(key))] as const))
  const duplicates = findDuplicates(rows, hash, { named })
  const counted = counter(bench, rows)
  return (row, snapshot) => ({
    ...verdictOf(bench, row, duplicates.get(row.row_no) ?? [], judgementOf(bench, row, snapshot, counted)),
    keys: keys.get(row.row_no) ?? [],
  })
}

/** Keys may be identity numbers: they are stored as keyed hashes that mean nothing outside their batch. */
export function keyHasher(app: App, { batch_no }: Pick<BatchKey, 'batch_no'>): (key: string) => string {
  const secret = createSecretKey(app.secrets.id_index_key)
  const known = new Map<string, string>()
  return key => {
    const hash = known.get(key) ?? createHmac('sha256', secret).update(`${batch_no}\n${key}`).digest('base64url').slice(0, 22)
    known.set(key, hash)
    return hash
  }
}

function saveStep(job: JobRun, batch: BatchRow, rows: StoredVerdict[]): Promise<void> {
  return job.step<unknown>(async db => {
    await keepPlans(db)
    await saveVerdicts(db, batch, rows)
    return { done: rows.length }
  })
}

function finishParse(job: JobRun, batch: BatchRow, columns: readonly TemplateColumn[], plan: ReadPlan): Promise<void> {
  return job.step<unknown>(async db => {
    const { school_id, batch_no } = batch
    await recount(db, batch)
    await changeBatch(db, batch, ['parsing'], { state: 'parsed', columns: JSON.stringify(gridColumns(columns)), sheets: JSON.stringify(plan) })
    await addWork(db, { school_id, kind: 'import_expire', ref: batch_no, due_at: new Date(job.app.clock.now().getTime() + kept_parsed_days * day_ms) })
    return { done: 0 }
  })
}
