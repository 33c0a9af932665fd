import { jobsErrors } from '@campus/jobs/contract'
import { Refusal } from '@kit/contract'
import { constraintOf, keepPlans, refreshStatistics } from '@kit/server/db'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { deskPort } from '../desk.ts'
import type { AppliedRow, ApplyRow, ImportTemplate, Issue } from '@kit/server/excel'
import type { JobKind, JobRun } from '../job-kind.ts'
import { fileOf, usableTemplate } from './batch-access.ts'
import { changeBatch, findBatch, recount } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { changesOf } from './batch-view.ts'
import { openLine } from './kept-line.ts'
import { batchOf, rows_per_step, stepFacts } from './parse.job.ts'
import { benchOf, checkRow, judgementOf, parsedRows, stillHolds } from './row-verdict.ts'
import type { Bench, CheckedRow } from './row-verdict.ts'
import { nextToApply, saveOutcomes } from './row.queries.ts'
import type { RowOutcome, StoredRow } from './row.queries.ts'
import { lineReader, planOf } from './read-plan.ts'
import type { LineCells } from './sheet-text.ts'
import { mapInSlices } from './slices.ts'

export const apply_kind = 'import_apply'

/** Applies and undos of one template wait for each other in this lane. */
export const applyLane = (template: string): string => `import_apply:${template}`

const undo_days = 30
const day_ms = 86_400_000
/** After these pieces the tables have grown many times over since they were looked at last. */
const pieces_before_statistics: ReadonlySet<number> = new Set([1, 8])
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
    const change = is_whole || rows_applied > 0 ? { state: 'applied', applied_at: now, undo_until: undoUntil(now) } : { state: 'parsed' }
    await changeBatch(db, batchOf(job), ['applying'], { ...change, message })
  },
}

/** Until when a batch applied now can be taken back. */
export function undoUntil(now: Date): Date {
  return new Date(now.getTime() + undo_days * day_ms)
}

/** How the lines of a batch are got at: the file's, unless a row has its own. */
type Lines = (row: StoredRow) => LineCells
/** A row as the dry run left it, and its line checked again. */
type Prepared<P> = { stored: StoredRow; fresh: CheckedRow<P> }

async function applyBatch<W, P, S>(job: JobRun, batch: BatchRow, template: ImportTemplate<unknown, W, P, S>): Promise<void> {
  await job.stage('读取文件')
  const sheet = await deskPort.one(job.app).sheets.open(fileOf(job.app, batch))
  const words = await job.read<unknown, W>(db => template.words({ ...stepFacts(job, batch), db }))
  const bench = benchOf(job, template, words)
  const read = lineReader(sheet, planOf(batch), bench.columns)
  const lines: Lines = row => openLine(job, row) ?? read(row.row_no)
  await job.stage('导入数据')
  let next = readPiece(job, batch, bench, lines, 0)
  for (let piece = 1; ; piece += 1) {
    const rows = await next
    const last = rows.at(-1)
    if (!last) return
    // Lines are read and checked while the database writes the ones before.
    next = readPiece(job, batch, bench, lines, last.stored.row_no)
    next.catch(() => undefined)
    await applyPiece(job, batch, bench, rows)
    if (pieces_before_statistics.has(piece)) await gatherStatistics(job)
  }
}

/** The next rows to be applied after a line, checked anew. */
async function readPiece<W, P, S>(job: JobRun, batch: BatchRow, bench: Bench<W, P, S>, lines: Lines, after: number): Promise<Prepared<P>[]> {
  const rows = await job.read<unknown, StoredRow[]>(db => nextToApply(db, batch, after, rows_per_step))
  return mapInSlices(rows, stored => ({ stored, fresh: checkRow(bench, stored.row_no, () => lines(stored), false) }))
}

/** A first import fills empty tables: until somebody looks, the planner takes them for empty. */
function gatherStatistics(job: JobRun): Promise<void> {
  return job.step<unknown>(async db => {
    await refreshStatistics(db)
    return { done: 0 }
  })
}

/**
 * A piece in one step. When the database or a rule refuses the step as a whole, its rows are tried one by one, so that one
 * impossible row does not stop the others.
 */
async function applyPiece<W, P, S>(job: JobRun, batch: BatchRow, bench: Bench<W, P, S>, rows: Prepared<P>[]): Promise<void> {
  try {
    await applyStep(job, batch, bench, rows)
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === null) throw error
    const [only, ...more] = rows
    if (only && more.length === 0) return leaveOut(job, batch, only.stored, reason)
    for (const row of rows) await applyPiece(job, batch, bench, [row])
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

function applyStep<W, P, S>(job: JobRun, batch: BatchRow, bench: Bench<W, P, S>, rows: Prepared<P>[]): Promise<void> {
  return job.step<unknown>(async db => {
    await oneAtATime(db, batch)
    await keepPlans(db)
    const { template } = bench
    const facts = { ...stepFacts(job, batch), db }
    const sound = rows.filter(({ fresh }) => fresh.checked.errors.length === 0)
    const snapshot = await template.load(facts, parsedRows(sound.map(({ fresh }) => fresh)))
    const holding = sound.flatMap(({ stored, fresh }) => {
      const judgement = judgementOf(bench, fresh, snapshot, () => 0)
      const { parsed } = fresh.checked
      if (!judgement || parsed === null || judgement.errors.length > 0) return []
      return stillHolds({ ...stored, diff: changesOf(stored) }, judgement) ? [{ row_no: stored.row_no, parsed, judgement } satisfies ApplyRow<P>] : []
    })
    const applied = holding.length === 0 ? [] : await template.apply({ ...facts, batch_no: batch.batch_no, job_no: job.job_no }, holding, snapshot)
    const outcomes = settle(rows.map(({ stored }) => stored), applied)
    await saveOutcomes(db, batch, outcomes)
    return { done: rows.length, failed: outcomes.filter(({ outcome }) => outcome === 'recheck').length }
  })
}

/** Jobs of one template wait in a lane; the lock also holds when a lane was joined out of order. */
export async function oneAtATime(db: Kysely<unknown>, { school_id, template }: Pick<BatchRow, 'school_id' | 'template'>): Promise<void> {
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
