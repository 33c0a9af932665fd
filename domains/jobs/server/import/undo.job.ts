import { jobsErrors } from '@campus/jobs/contract'
import { fail } from '@kit/contract'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { keepPlans } from '@kit/server/db'
import type { ApplyStep, ImportTemplate, ImportUndo } from '@kit/server/excel'
import type { JobKind, JobRun } from '../job-kind.ts'
import { oneAtATime, refusalOf } from './apply.job.ts'
import { usableTemplate } from './batch-access.ts'
import { changeBatch, findBatch, recount } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { batchOf, rows_per_step, stepFacts } from './parse.job.ts'
import { pieces } from './slices.ts'
import { planUndo } from './undo-plan.ts'
import type { TouchedRow } from './undo-plan.ts'
import { clearBlocks, nextToUndo, saveBlocks, saveUndone, touchedRows } from './undo.queries.ts'
import type { RowToUndo } from './undo.queries.ts'

export const undo_kind = 'import_undo'
const rows_per_read = 2000
const keys_per_look = 1500
const Params = z.object({ partial: z.boolean() })
const taken = '原来的值已被其他数据占用，不能恢复'

/**
 * Takes an applied batch back, latest rows first, in steps of 500, each row exactly once. Rows whose things have changed since are
 * listed first; unless only the rest was asked for, then nothing is undone.
 */
export const undoJob: JobKind = {
  kind: undo_kind,
  async run(job) {
    const batch = await job.read<unknown, BatchRow | undefined>(db => findBatch(db, batchOf(job), null))
    if (!batch || batch.state !== 'undoing') return job.refuse(jobsErrors.batchNotApplied.msg)
    await usableTemplate(job.app, job.me, batch.template).use(template => undoBatch(job, batch, template))
  },
  async ended(db, job, { state, msg, now }) {
    const { rows_undone, rows_blocked } = await recount(db, batchOf(job))
    const is_whole = state === 'succeeded' || state === 'partly'
    const left = rows_blocked > 0 ? `已撤销${rows_undone}行，${rows_blocked}行在导入后又有变动，予以保留` : null
    const broken = rows_undone > 0 ? `撤销中断，已撤销${rows_undone}行` : (msg ?? '已取消')
    await changeBatch(db, batchOf(job), ['undoing'], is_whole ? { state: 'undone', undone_at: now, undo_message: left } : { state: 'applied', undo_message: broken })
  },
}

/** One run: how the things stand as far as this run knows, and which of them must stay. */
type Bench = { job: JobRun; batch: BatchRow; undo: ImportUndo<unknown>; marks: Map<string, string>; kept: Set<string> }

async function undoBatch<W, P, S>(job: JobRun, batch: BatchRow, { undo }: ImportTemplate<unknown, W, P, S>): Promise<void> {
  if (!undo) return job.refuse(jobsErrors.undoUnsupported.msg)
  await job.stage('核对导入之后的变动')
  const bench: Bench = { job, batch, undo, marks: new Map(), kept: new Set() }
  const undoable = await findBlocked(bench)
  await job.stage('撤销数据', job.committed.done + undoable)
  for (;;) {
    const rows = await job.read<unknown, RowToUndo[]>(db => nextToUndo(db, batch, rows_per_step))
    if (rows.length === 0) return
    await undoPiece(bench, rows)
  }
}

/**
 * Notes of every row that has to stay why it does. @returns how many rows can be undone
 * @throws Refusal undoBlocked when there are such rows and the whole batch was asked for
 */
async function findBlocked(bench: Bench): Promise<number> {
  const { job, batch, undo } = bench
  const rows = await readTouched(job, batch)
  const keys = [...new Set(rows.flatMap(({ touched }) => touched.map(({ key }) => key)))]
  for (const some of pieces(keys, keys_per_look)) {
    const now = await job.read<unknown, Map<string, string>>(db => undo.marks(stepOf(bench, db), some, false))
    for (const [key, mark] of now) bench.marks.set(key, mark)
  }
  const { blocked, kept } = planUndo(rows, bench.marks)
  bench.kept = kept
  await job.step<unknown>(async db => {
    await clearBlocks(db, batch)
    await saveBlocks(db, batch, new Map([...blocked].map(([row_no, key]) => [row_no, undo.reason(key)])))
    return { done: 0 }
  })
  if (blocked.size > 0 && !Params.parse(job.params).partial) throw fail(jobsErrors.undoBlocked, { params: { n: blocked.size } })
  return rows.length - blocked.size
}

async function readTouched(job: JobRun, batch: BatchRow): Promise<TouchedRow[]> {
  const rows: TouchedRow[] = []
  for (;;) {
    const more = await job.read<unknown, TouchedRow[]>(db => touchedRows(db, batch, rows.at(-1)?.row_no ?? 0, rows_per_read))
    rows.push(...more)
    if (more.length < rows_per_read) return rows
  }
}

function stepOf({ job, batch }: Bench, db: Kysely<unknown>): ApplyStep<unknown> {
  return { ...stepFacts(job, batch), db, batch_no: batch.batch_no, job_no: job.job_no }
}

/** A piece in one step; when the database refuses it, its rows one by one, so that one impossible row does not stop the others. */
async function undoPiece(bench: Bench, rows: readonly RowToUndo[]): Promise<void> {
  try {
    await undoStep(bench, rows)
  } catch (error) {
    if (refusalOf(error) === null) throw error
    const [only, ...more] = rows
    if (only && more.length === 0) return leaveIn(bench, only)
    for (const row of rows) await undoPiece(bench, [row])
  }
}

async function undoStep(bench: Bench, rows: readonly RowToUndo[]): Promise<void> {
  const { job, batch, undo } = bench
  const keys = [...new Set(rows.flatMap(({ touched }) => touched.map(({ key }) => key)))]
  let after = new Map<string, string>()
  await job.step<unknown>(async db => {
    await oneAtATime(db, batch)
    await keepPlans(db)
    const step = stepOf(bench, db)
    const now = await undo.marks(step, keys, true)
    const late = new Map(rows.flatMap(row => {
      const hit = row.touched.find(({ key }) => now.get(key) !== bench.marks.get(key))
      return hit ? [[row.row_no, undo.reason(hit.key)] as const] : []
    }))
    const free = rows.filter(({ row_no }) => !late.has(row_no))
    for (const { row_no, touched } of rows) if (late.has(row_no)) for (const { key } of touched) bench.kept.add(key)
    await undo.undo(step, free, bench.kept)
    await saveUndone(db, batch, free.map(({ row_no }) => row_no))
    await saveBlocks(db, batch, late)
    after = await undo.marks(step, keys, false)
    return { done: free.length, failed: late.size }
  })
  for (const key of keys) {
    const mark = after.get(key)
    if (mark === undefined) bench.marks.delete(key)
    else bench.marks.set(key, mark)
  }
}

function leaveIn({ job, batch, kept }: Bench, { row_no, touched }: RowToUndo): Promise<void> {
  for (const { key } of touched) kept.add(key)
  return job.step<unknown>(async db => {
    await saveBlocks(db, batch, new Map([[row_no, taken]]))
    return { done: 0, failed: 1 }
  })
}
