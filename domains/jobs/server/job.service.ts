import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { job_states, jobsErrors } from '@campus/jobs/contract'
import type { jobApi, JobRow } from '@campus/jobs/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Me, Pre } from '@kit/server/http'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { ours } from './db.ts'
import type { JobsCtx, JobsDb } from './db.ts'
import type { WorkKind } from './job-kind.ts'
import { endWithKind } from './runner/run-job.ts'

const State = z.enum(job_states)
const mimes: Record<string, string> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.csv': 'text/csv; charset=utf-8',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
}

/** The caller's jobs, newest first. */
export async function listJobs(ctx: JobsCtx, query: Input<typeof jobApi.list>): Promise<{ list: JobRow[]; total: number }> {
  let found = ownJobs(ctx.db, ctx.me)
  if (query.state !== undefined) found = found.where('state', '=', query.state)
  const list = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('job_no')
    .limit(query.page_size)
    .offset((query.page_index - 1) * query.page_size)
    .execute()
  const { total } = await found.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { list: list.map(row => showJob(row, ctx.now)), total: Number(total) }
}

/** One job of the caller; 404 for somebody else's. */
export async function readJob(ctx: JobsCtx, job_no: string): Promise<JobRow> {
  return showJob(await findOwn(ctx.db, ctx.me, job_no), ctx.now)
}

/**
 * Ends a job at once: committed steps stay, a step that is running is waited for, no later one can commit.
 * @throws Refusal 404 jobNotFound, 409 jobFinished
 */
export async function cancelJob(ctx: JobsCtx, job_no: string): Promise<Record<string, never>> {
  const { school_id, title } = await findOwn(ctx.db, ctx.me, job_no)
  const key = { school_id, job_no }
  const is_ended = await endWithKind(ctx, ctx.db, key, { state: 'cancelled', msg: null, error_id: null, now: ctx.now })
  if (!is_ended) throw fail(jobsErrors.jobFinished)
  await ours(ctx.db).updateTable('job').set({ cancel_asked: true }).where('school_id', '=', ctx.school_id).where('job_no', '=', job_no).execute()
  ctx.note({ target_kind: 'job', target_id: job_no, target_name: title, job_no })
  return {}
}

/** The file a job left. */
export async function jobResult(pre: Pre, job_no: string): Promise<FileReply> {
  const { me, app } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const job = await pre.own<unknown, Selectable<JobsDb['job']>>(me.school_id, db => findOwn(db, me, job_no))
  if (job.result_file === null || job.result_name === null || job.expire_at <= pre.now) throw fail(jobsErrors.noResult)
  const path = app.files.pathOf(job.result_file)
  const found = await stat(path).catch(() => null)
  if (!found) throw fail(jobsErrors.noResult)
  const mime = mimes[extname(job.result_name)] ?? 'application/octet-stream'
  return { file_name: job.result_name, mime, body: createReadStream(path), size: found.size }
}

/** Result files live as long as their job says (J1: seven days; decision 26: those of people a day). */
export const jobExpiry: WorkKind = {
  kind: 'job_expire',
  async run(db, { school_id, ref, app }) {
    const job = await ours(db).selectFrom('job').select('result_file').where('school_id', '=', school_id).where('job_no', '=', ref).executeTakeFirst()
    const file = job?.result_file
    if (typeof file !== 'string') return
    await ours(db).updateTable('job').set({ result_file: null }).where('school_id', '=', school_id).where('job_no', '=', ref).execute()
    return () => app.files.discard(app.files.pathOf(file))
  },
}

function ownJobs(db: Kysely<unknown>, me: Me) {
  return ours(db).selectFrom('job').where('school_id', '=', me.school_id).where('created_by', '=', me.user_id)
}

async function findOwn(db: Kysely<unknown>, me: Me, job_no: string): Promise<Selectable<JobsDb['job']>> {
  const job = await ownJobs(db, me).selectAll().where('job_no', '=', job_no).executeTakeFirst()
  if (!job) throw fail(jobsErrors.jobNotFound)
  return job
}

function showJob(job: Selectable<JobsDb['job']>, now: Date): JobRow {
  return {
    ...job,
    state: State.parse(job.state),
    has_result: job.result_file !== null && job.expire_at > now,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  }
}
