import { enqueueJob } from '@campus/jobs/server'
import { teachingErrors } from '@campus/teaching/contract'
import type { solveApi, SolveRun } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { z } from 'zod'
import type { Db, TeachingCtx } from '../db.ts'
import { imageOf } from '../timetable/command.ts'
import { loadContext, readLessons } from '../timetable/context.queries.ts'
import { writeStep } from '../timetable/edit.service.ts'
import { requireDraft, requireVersion } from '../timetable/version.queries.ts'
import { modelOf, precheck } from './model.ts'
import { Best, solve_job } from './solve.job.ts'

const state_names = ['running', 'finished', 'failed', 'taken'] as const
const [running, taken] = [0, 3] as const
const Curve = z.array(z.tuple([z.number(), z.number(), z.number()]))

/** 体检: what cannot work, before anything is searched. @throws Refusal 404 */
export async function precheckVersion({ db, school_id }: TeachingCtx, id: string): Promise<Reply<typeof solveApi.precheck>> {
  const version = await requireVersion(db, school_id, id)
  const rows = await readLessons(db, school_id, [id])
  const model = modelOf(rows, await loadContext(db, school_id, version.terms, rows), 'locked')
  return { lessons: rows.length, locked: rows.filter(row => row.locked).length, faults: precheck(model) }
}

/** Starts the search at a draft. @throws Refusal 404, 409 solveRunning, 422 published, solveEmpty, solveInfeasible */
export async function startSolve(ctx: TeachingCtx, { id, seconds, seed, keep }: Input<typeof solveApi.start>): Promise<Reply<typeof solveApi.start>> {
  const { db, school_id, me, now } = ctx
  const version = await requireDraft(db, school_id, id, null)
  const { lessons, faults } = await precheckVersion(ctx, id)
  if (lessons === 0) throw fail(teachingErrors.solveEmpty)
  if (faults.length > 0) throw fail(teachingErrors.solveInfeasible, { params: { n: faults.length } })
  const row = { school_id, version_id: id, job_no: '', seed, params: JSON.stringify({ seconds, keep }), state: running, base_rev: version.rev, created_at: now, created_by: me.user_id }
  const made = await db.insertInto('solve_run').values(row).onConflict(on => on.columns(['school_id', 'version_id']).where('state', '=', 0).doNothing()).returning('id').executeTakeFirst()
  if (!made) throw fail(teachingErrors.solveRunning)
  const job_no = await enqueueJob(ctx, { kind: solve_job, title: `自动排课 ${version.table_name}`, params: { run_id: made.id, version_id: id, seconds, seed, keep }, total: seconds, lane: 'teaching_solve' })
  await db.updateTable('solve_run').set({ job_no }).where('school_id', '=', school_id).where('id', '=', made.id).execute()
  ctx.note({ target_kind: 'teaching.solve', target_id: made.id, target_name: `自动排课 ${version.table_name} v${version.version_no}`, job_no })
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

/** Takes the result over into the draft as one step that can be undone; locked lessons stay. @throws Refusal 404, 409 stale, 422 published, solveNoResult */
export async function takeRun(ctx: TeachingCtx, { id, rev }: Input<typeof solveApi.take>): Promise<Reply<typeof solveApi.take>> {
  const { db, school_id } = ctx
  const run = await db.selectFrom('solve_run').select(['version_id', 'best', 'seed']).where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!run) throw fail(commonErrors.notFound)
  if (run.best === null) throw fail(teachingErrors.solveNoResult)
  const version = await requireDraft(db, school_id, run.version_id, rev)
  const { cells } = Best.parse(run.best)
  const rows = new Map((await readLessons(db, school_id, [run.version_id])).map(row => [row.id, row]))
  const moves = cells.flatMap(({ lesson_id, weekday, section }) => {
    const row = rows.get(lesson_id)
    return !row || row.locked || (row.weekday === weekday && row.section === section) ? [] : [{ before: imageOf(row), after: imageOf({ ...row, weekday, section }) }]
  })
  const edited = moves.length === 0 ? { rev } : await writeStep(ctx, version, { title: `采用自动排课（${moves.length}节）`, command: moves.map(move => move.after), inverse: moves.map(move => move.before) })
  await db.updateTable('solve_run').set({ state: taken }).where('school_id', '=', school_id).where('id', '=', id).execute()
  return { rev: edited.rev, moved: moves.length, unplaced: cells.filter(cell => cell.weekday === null).length }
}

async function readRun(db: Db, school_id: number, id: string): Promise<SolveRun> {
  const row = await db.selectFrom('solve_run').select(['id', 'version_id', 'state', 'seed', 'job_no', 'hard', 'soft', 'placed', 'unplaced', 'moves', 'curve', 'best', 'created_at']).where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  const { best, curve, created_at, state, moves, ...rest } = row
  return { ...rest, moves: moves === null ? null : Number(moves), state: state_names[state] ?? 'failed', curve: Curve.parse(curve), reasons: best === null ? [] : Best.parse(best).reasons, created_at: created_at.toISOString() }
}
