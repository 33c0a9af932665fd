import { jobsErrors } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { fail } from '@kit/contract'
import type { JobsCtx } from '../db.ts'
import { enqueueJob } from '../enqueue.ts'
import { applyLane } from './apply.job.ts'
import { usableBatch } from './batch-access.ts'
import { changeBatch, lockBatch } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import { showBatch } from './batch-view.ts'
import { undo_kind } from './undo.job.ts'

/**
 * Starts taking an applied batch back; it waits for the imports of its template. `partial`: rows changed since stay, else the job
 * ends without touching anything when there are any.
 * @throws Refusal 409 batchBusy, batchUndone, batchNotApplied, undoTooLate, undoUnsupported
 */
export async function undoBatch(ctx: JobsCtx, batch_no: string, partial: boolean): Promise<ImportBatch> {
  const { db, app, me, school_id, now } = ctx
  const { template } = await usableBatch(app, me, db, batch_no, 'change')
  const batch = await lockBatch(db, { school_id, batch_no })
  refuseUnless(batch, now)
  if (!template.can_undo) throw fail(jobsErrors.undoUnsupported)
  const total = batch.rows_applied - batch.rows_undone
  const job_no = await enqueueJob(ctx, { kind: undo_kind, title: `撤销${template.title}：${batch.file_name}`, params: { batch_no, partial }, total, lane: applyLane(batch.template) })
  const started = await changeBatch(db, batch, ['applied'], { state: 'undoing', undo_message: null, job_no })
  if (!started) throw fail(jobsErrors.batchNotApplied)
  ctx.note({ target_kind: 'import_batch', target_id: batch_no, target_name: batch.file_name, batch_no, job_no, reason: partial ? '撤销可撤销部分' : '撤销整批' })
  return showBatch(app, started, me)
}

function refuseUnless(batch: BatchRow, now: Date): void {
  if (batch.state === 'undoing' || batch.state === 'applying' || batch.state === 'parsing') throw fail(jobsErrors.batchBusy)
  if (batch.state === 'undone') throw fail(jobsErrors.batchUndone)
  if (batch.state !== 'applied' || batch.rows_applied === 0) throw fail(jobsErrors.batchNotApplied)
  if (batch.undo_until === null || batch.undo_until <= now) throw fail(jobsErrors.undoTooLate)
}
