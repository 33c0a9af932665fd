import { enqueueJob } from '@campus/jobs/server'
import { SolveChanges, teachingErrors } from '@campus/teaching/contract'
import type { solveApi, SolveRun } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { z } from 'zod'
import type { Db, TeachingCtx } from '../db.ts'
import { requireDraft, requireVersion } from '../timetable/version.queries.ts'
import { loadProblem, requireChanges } from './load.ts'
import { precheck, reminders } from './precheck.ts'
import { Best, solve_job } from './solve.job.ts'

const state_names = ['running', 'finished', 'failed', 'taken'] as const
const running = 0
const Curve = z.array(z.tuple([z.number(), z.number(), z.number()]))
const Asked = z.object({ keep: z.enum(['locked', 'placed', 'changes']).default('locked') })
const no_changes = SolveChanges.parse({})

/** 体检: what cannot work, before anything is searched. @throws Refusal 404 */
export async function precheckVersion({ db, school_id }: TeachingCtx, id: string): Promise<Reply<typeof solveApi.precheck>> {
  const version = await requireVersion(db, school_id, id)
  const { rows, model, context } = await loadProblem(db, school_id, version, { keep: 'locked', changes: no_changes })
  return { lessons: rows.length, locked: rows.filter(row => row.locked).length, faults: [...precheck(model), ...reminders(rows, context)] }
}

/** Starts the search at a draft. @throws Refusal 404, 409 solveRunning, 422 published, solveEmpty, solveInfeasible */
export async function startSolve(ctx: TeachingCtx, asked: Input<typeof solveApi.start>): Promise<Reply<typeof solveApi.start>> {
  const { id, seconds, seed, keep, changes } = asked
  const { db, school_id, me, now } = ctx
  const version = await requireDraft(db, school_id, id, null)
  await requireChanges(db, school_id, changes)
  const { rows, model } = await loadProblem(db, school_id, version, { keep, changes })
  if (rows.length === 0) throw fail(teachingErrors.solveEmpty)
  const faults = precheck(model)
  if (faults.length > 0) throw fail(teachingErrors.solveInfeasible, { params: { n: faults.length, first: faults[0]?.text ?? '' } })
  const params = { seconds, keep, changes }
  const row = { school_id, version_id: id, job_no: '', seed, params: JSON.stringify(params), state: running, base_rev: version.rev,
    created_at: now, created_by: me.user_id }
  const made = await db.insertInto('solve_run').values(row).onConflict(on => on.columns(['school_id', 'version_id']).where('state', '=', 0).doNothing()).returning('id').executeTakeFirst()
  if (!made) throw fail(teachingErrors.solveRunning)
  const title = `${keep === 'changes' ? '按变化重排' : '自动排课'} ${version.table_name}`
  const job_no = await enqueueJob(ctx, { kind: solve_job, title, params: { run_id: made.id, version_id: id, seed, ...params },
    total: seconds, lane: 'teaching_solve' })
  await db.updateTable('solve_run').set({ job_no }).where('school_id', '=', school_id).where('id', '=', made.id).execute()
  ctx.note({ target_kind: 'teaching.solve', target_id: made.id, target_name: `${title} v${version.version_no}`, job_no })
  return { run: await readRun(db, school_id, made.id) }
}

/** The last search of a version. @throws Refusal 404 */
export async function latestRun({ db, school_id }: TeachingCtx, id: string): Promise<Reply<typeof solveApi.latest>> {
  await requireVersion(db, school_id, id)
  const last = await db.selectFrom('solve_run').select('id').where('school_id', '=', school_id).where('version_id', '=', id).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { run: last ? await readRun(db, school_id, last.id) : null }
}

/** Ends a search soon; its best stays. @throws Refusal 404 */
export async function stopSolve(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  await readRun(db, school_id, id)
  await db.updateTable('solve_run').set({ stop_asked: true }).where('school_id', '=', school_id).where('id', '=', id).where('state', '=', running).execute()
  ctx.note({ target_kind: 'teaching.solve', target_id: id, target_name: '停止排课' })
  return {}
}

async function readRun(db: Db, school_id: number, id: string): Promise<SolveRun> {
  const row = await db.selectFrom('solve_run')
    .select(['id', 'version_id', 'state', 'seed', 'job_no', 'params', 'hard', 'soft', 'placed', 'unplaced', 'moves', 'curve', 'best',
      'created_at'])
    .where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  const { best, curve, created_at, state, moves, params, ...rest } = row
  return {
    ...rest, moves: moves === null ? null : Number(moves), state: state_names[state] ?? 'failed', curve: Curve.parse(curve),
    reasons: best === null ? [] : Best.parse(best).reasons, created_at: created_at.toISOString(),
      is_change: Asked.parse(params).keep === 'changes',
  }
}
