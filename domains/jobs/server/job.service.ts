import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { job_states, job_view_all, jobsErrors } from '@campus/jobs/contract'
import type { jobApi, JobRow } from '@campus/jobs/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Me, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import type { Kysely, QueryExecutorProvider, Selectable } from 'kysely'
import { z } from 'zod'
import { ours } from './db.ts'
import type { JobsCtx, JobsDb } from './db.ts'
import { tellJob } from './job.channel.ts'
import type { WorkKind } from './job-kind.ts'
import { endWithKind } from './runner/run-job.ts'

const State = z.enum(job_states)
const mimes: Record<string, string> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.csv': 'text/csv; charset=utf-8',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
}

/** The caller's jobs, newest first; those of the whole school with job.job.view_all, unless he asks for his own. */
export async function listJobs(ctx: JobsCtx, query: Input<typeof jobApi.list>): Promise<{ list: JobRow[]; total: number }> {
  let found = query.mine === '1' ? ownJobs(ctx.db, ctx.me) : visibleJobs(ctx.db, ctx.me)
  if (query.state !== undefined) found = found.where('state', '=', query.state)
  const list = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('job_no')
    .limit(query.page_size)
    .offset((query.page_index - 1) * query.page_size)
    .execute()
  const { total } = await found.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { list: list.map(row => showJob(row, ctx)), total: Number(total) }
}

/** One job that the caller may see; 404 for any other. */
export async function readJob(ctx: JobsCtx, job_no: string): Promise<JobRow> {
  return showJob(await findIn(visibleJobs(ctx.db, ctx.me), job_no), ctx)
}

/**
 * Ends a job at once: committed steps stay, a step that is running is waited for, no later one can commit.
 * @throws Refusal 404 jobNotFound, 409 jobFinished
 */
export async function cancelJob(ctx: JobsCtx, job_no: string): Promise<Record<string, never>> {
  const { school_id, title } = await findIn(visibleJobs(ctx.db, ctx.me), job_no)
  const key = { school_id, job_no }
  const is_ended = await endWithKind(ctx, ctx.db, key, { state: 'cancelled', msg: null, error_id: null, now: ctx.now })
  if (!is_ended) throw fail(jobsErrors.jobFinished)
  await ours(ctx.db).updateTable('job').set({ cancel_asked: true }).where('school_id', '=', ctx.school_id).where('job_no', '=', job_no).execute()
  ctx.note({ target_kind: 'job', target_id: job_no, target_name: title, job_no })
  return {}
}

/**
 * The file a job left, for whoever started it alone: it holds what his rights of that moment showed him. One that may be fetched once is off the disk
 * before its first byte leaves.
 * @throws Refusal 404 jobNotFound, noResult, resultTaken
 */
export async function jobResult(pre: Pre, job_no: string): Promise<FileReply> {
  const { me, app } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { result_file, result_name, result_once } = await pre.own<unknown, Result>(me.school_id, db => takeResult(db, me, job_no, pre.now))
  const path = app.files.pathOf(result_file)
  const file = await open(path).catch(() => null)
  if (!file) throw fail(jobsErrors.noResult)
  const { size } = await file.stat()
  if (result_once) await app.files.discard(path)
  const mime = mimes[extname(result_name)] ?? 'application/octet-stream'
  return { file_name: result_name, mime, body: file.createReadStream(), size }
}

type Result = { result_file: string; result_name: string; result_once: boolean }

/** Of several who fetch a file at once that may be fetched once, one statement lets one through. */
async function takeResult(db: Kysely<unknown>, me: Me, job_no: string, now: Date): Promise<Result> {
  const { school_id, result_file, result_name, result_once, expire_at } = await findIn(ownJobs(db, me), job_no)
  if (result_file === null || result_name === null || expire_at <= now) throw fail(jobsErrors.noResult)
  if (!result_once) return { result_file, result_name, result_once }
  const taken = await ours(db)
    .updateTable('job')
    .set({ result_taken_at: now })
    .where('school_id', '=', school_id)
    .where('job_no', '=', job_no)
    .where('result_taken_at', 'is', null)
    .returning('job_no')
    .executeTakeFirst()
  if (!taken) throw fail(jobsErrors.resultTaken)
  await tellJob(db, { school_id, job_no })
  return { result_file, result_name, result_once }
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

/** What stops with a suspended school: jobs wait, and go on where they were when it does. */
export async function tellPaused(db: QueryExecutorProvider, school_id: number): Promise<string> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from job where school_id = ${school_id} and state in ('queued', 'running')`.execute(db)
  return `${rows[0]?.n ?? 0}个任务暂停，启用后继续`
}

function ownJobs(db: Kysely<unknown>, me: Me) {
  return ours(db).selectFrom('job').where('school_id', '=', me.school_id).where('created_by', '=', me.user_id)
}

function visibleJobs(db: Kysely<unknown>, me: Me) {
  return me.codes.has(job_view_all) ? ours(db).selectFrom('job').where('school_id', '=', me.school_id) : ownJobs(db, me)
}

async function findIn(jobs: ReturnType<typeof ownJobs>, job_no: string): Promise<Selectable<JobsDb['job']>> {
  const job = await jobs.selectAll().where('job_no', '=', job_no).executeTakeFirst()
  if (!job) throw fail(jobsErrors.jobNotFound)
  return job
}

const Starter = z.object({ user_name: z.string() })

function showJob(job: Selectable<JobsDb['job']>, { me, now }: Pick<JobsCtx, 'me' | 'now'>): JobRow {
  const is_mine = job.created_by === me.user_id
  return {
    ...job,
    is_mine,
    created_by_name: Starter.safeParse(job.identity).data?.user_name ?? '',
    state: State.parse(job.state),
    has_result: is_mine && job.result_file !== null && job.result_taken_at === null && job.expire_at > now,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  }
}
