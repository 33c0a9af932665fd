import { jobsErrors } from '@campus/jobs/contract'
import { Refusal } from '@kit/contract'
import { constraintOf } from '@kit/server/db'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { deskPort } from '../desk.ts'
import type { AppliedRow, ApplyRow, ImportTemplate, Issue } from '../import-template.ts'
import type { JobKind, JobRun } from '../job-kind.ts'
import { fileOf, usableTemplate } from './batch-access.ts'
import { changeBatch, findBatch, recount } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { changesOf, rawOf } from './batch-view.ts'
import { batchOf, rows_per_step, stepFacts } from './parse.job.ts'
import { checkRow, judgementOf, parsedRows, stillHolds } from './row-verdict.ts'
import type { Bench } from './row-verdict.ts'
import { nextToApply, saveOutcomes } from './row.queries.ts'
import type { RowOutcome, StoredRow } from './row.queries.ts'
import { cellReader } from './sheet-text.ts'
import type { LineCells } from './sheet-text.ts'

export const apply_kind = 'import_apply'

/** Applies and undos of one template wait for each other in this lane. */
export const applyLane = (template: string): string => `import_apply:${template}`

const undo_days = 30
const day_ms = 86_400_000
const recheck: Issue = { prop: '', msg: '需重新核对' }

/**
 * Applies a batch in steps of 500 rows, each row exactly once: its outcome is committed with what it wrote. Whatever no longer
 * is as the dry run said is left out as 需重新核对, the others go on.
 */
export const applyJob: JobKind = {
  kind: apply_kind,
  async run(job) {
    const batch = await job.read<unknown, BatchRow | undefined>(db => findBatch(db, batchOf(job), null))
    if (!batch || batch.state !== 'applying') return job.refuse(jobsErrors.batchNotParsed.msg)
    await usableTemplate(job.app, job.me, batch.template).use(template => applyBatch(job, batch, template))
  },
  async ended(db, job, { state, msg, now }) {
    const { rows_applied } = await recount(db, batchOf(job))
    const is_whole = state === 'succeeded' || state === 'partly'
    const message = is_whole ? null : rows_applied > 0 ? `导入中断，已导入${rows_applied}行` : (msg ?? '已取消')
    // Nothing written yet: the batch can be applied again. Else what was written can be undone, and the error sheet has the rest.
    const change = is_whole || rows_applied > 0 ? { state: 'applied', applied_at: now, undo_until: new Date(now.getTime() + undo_days * day_ms) } : { state: 'parsed' }
    await changeBatch(db, batchOf(job), ['applying'], { ...change, message })
  },
}

/** How the lines of a batch are got at: the file's, unless a row has its own. */
type Lines = (row: StoredRow) => LineCells

async function applyBatch<W, P, S>(job: JobRun, batch: BatchRow, template: ImportTemplate<unknown, W, P, S>): Promise<void> {
  await job.stage('读取文件')
  const sheet = await deskPort.one(job.app).sheets.open(fileOf(job.app, batch))
  const words = await job.read<unknown, W>(db => template.words({ ...stepFacts(job, batch), db }))
  const bench: Bench<W, P, S> = { template, words, columns: template.columns(words) }
  const read = cellReader(sheet.header, bench.columns)
  const lines: Lines = row => rawOf(row) ?? read(sheet.lines.get(row.row_no))
  await job.stage('导入数据')
  for (;;) {
    const rows = await job.read<unknown, StoredRow[]>(db => nextToApply(db, batch, rows_per_step))
    if (rows.length === 0) return
    await applyPiece(job, batch, bench, lines, rows)
  }
}

/**
 * A piece in one step. When the database or a rule refuses the step as a whole, its rows are tried one by one, so that one
 * impossible row does not stop the others.
 */
async function applyPiece<W, P, S>(job: JobRun, batch: BatchRow, bench: Bench<W, P, S>, lines: Lines, rows: StoredRow[]): Promise<void> {
  try {
    await applyStep(job, batch, bench, lines, rows)
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === null) throw error
    const [only, ...more] = rows
    if (only && more.length === 0) return leaveOut(job, batch, only, reason)
    for (const row of rows) await applyPiece(job, batch, bench, lines, [row])
  }
}

/** What makes trying again useless; null for everything else. */
export function refusalOf(error: unknown): Issue[] | null {
  if (error instanceof Refusal) return [recheck, { prop: '', msg: error.message }]
  return constraintOf(error)?.code.startsWith('23') ? [recheck] : null
}

function leaveOut(job: JobRun, batch: BatchRow, row: StoredRow, issues: Issue[]): Promise<void> {
  return job.step<unknown>(async db => {
    await saveOutcomes(db, batch, [rechecked(row, issues)])
    return { done: 1, failed: 1 }
  })
}

function applyStep<W, P, S>(job: JobRun, batch: BatchRow, bench: Bench<W, P, S>, lines: Lines, rows: StoredRow[]): Promise<void> {
  return job.step<unknown>(async db => {
    await oneAtATime(db, batch)
    const { template } = bench
    const facts = { ...stepFacts(job, batch), db }
    const checked = rows.map(row => checkRow(bench, row.row_no, lines(row), false)).filter(row => row.checked.errors.length === 0)
    const snapshot = await template.load(facts, parsedRows(checked))
    const stored = new Map(rows.map(row => [row.row_no, row]))
    const holding = checked.flatMap(row => {
      const judgement = judgementOf(bench, row, snapshot, () => 0)
      const said = stored.get(row.row_no)
      const { parsed } = row.checked
      if (!judgement || !said || parsed === null || judgement.errors.length > 0) return []
      return stillHolds({ ...said, diff: changesOf(said) }, judgement) ? [{ row_no: row.row_no, parsed, judgement } satisfies ApplyRow<P>] : []
    })
    const applied = holding.length === 0 ? [] : await template.apply({ ...facts, batch_no: batch.batch_no, job_no: job.job_no }, holding, snapshot)
    const outcomes = settle(rows, applied)
    await saveOutcomes(db, batch, outcomes)
    return { done: rows.length, failed: outcomes.filter(({ outcome }) => outcome === 'recheck').length }
  })
}

/** Jobs of one template wait in a lane; the lock also holds when a lane was joined out of order. */
export async function oneAtATime(db: Kysely<unknown>, { school_id, template }: BatchRow): Promise<void> {
  await sql`select pg_advisory_xact_lock(${school_id}::int, hashtext(${`import:${template}`}))`.execute(db)
}

function settle(rows: readonly StoredRow[], applied: readonly AppliedRow[]): RowOutcome[] {
  const done = new Map(applied.map(row => [row.row_no, row]))
  return rows.map(row => {
    const { row_no, verdict } = row
    const found = done.get(row_no)
    return found ? { row_no, verdict, outcome: 'applied', target_id: found.target_id, before: found.before, touched: found.touched ?? [], errors: [] } : rechecked(row, [recheck])
  })
}

function rechecked({ row_no, verdict, target_id }: StoredRow, issues: readonly Issue[]): RowOutcome {
  return { row_no, verdict, outcome: 'recheck', target_id, before: null, touched: [], errors: issues.map(issue => ({ ...issue, label: '' })) }
}
