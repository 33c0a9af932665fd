import type { Kysely, QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'
import { addWork } from '../due-work.ts'
import { ours } from '../db.ts'
import { tellJob } from '../job.channel.ts'
import type { JobEnd } from '../job-kind.ts'
import { lease_seconds } from './work.queries.ts'

/** Names one job; with `attempts` the run that holds it. */
export type JobKey = { school_id: number; job_no: string }
export type Holder = JobKey & { attempts: number }

const live_states = ['queued', 'running']
const alive = { lease_until: sql<Date>`now() + make_interval(secs => ${lease_seconds})`, heartbeat_at: sql<Date>`now()` }

/** Opens the job for a run; nothing when it has ended or is gone. */
export async function openJob(db: Kysely<unknown>, key: Holder, now: Date) {
  const row = await ours(db)
    .updateTable('job')
    .set(eb => ({ ...alive, state: 'running', attempts: key.attempts, started_at: eb.fn.coalesce('started_at', eb.val(now)) }))
    .where('school_id', '=', key.school_id)
    .where('job_no', '=', key.job_no)
    .where('state', 'in', live_states)
    .returningAll()
    .executeTakeFirst()
  if (row) await tellJob(db, key)
  return row
}

/**
 * Locks the job until the transaction ends; nothing when this run does not hold it any more. `role_lives`: the membership that
 * started it still lasts (J1); `school_works`: the school has not been suspended. A plain statement, for the handle is typed to the tables of whoever does the work.
 */
export async function lockHeld(db: QueryExecutorProvider, key: Holder): Promise<{ role_lives: boolean; school_works: boolean } | undefined> {
  const { rows: [held] } = await sql<{ created_role_no: string | null }>`
    select created_role_no from job where school_id = ${key.school_id} and job_no = ${key.job_no} and state = 'running' and attempts = ${key.attempts} for update`.execute(db)
  if (!held) return undefined
  const { rows } = await sql<{ role_lives: boolean; school_works: boolean }>`
    select exists (select 1 from identity_now_v where school_id = ${key.school_id} and role_no = ${held.created_role_no}) as role_lives,
      exists (select 1 from school_state_v where school_id = ${key.school_id} and state = 2) as school_works`.execute(db)
  return rows[0]
}

/** Adds committed progress, in the transaction of the work itself. An attempt that got on does not count towards the limit. */
export async function addProgress(db: QueryExecutorProvider, key: JobKey, done: number, failed: number): Promise<void> {
  await sql`
    update job set done = done + ${done}, failed = failed + ${failed}, heartbeat_at = now(), lease_until = now() + make_interval(secs => ${lease_seconds})
    where school_id = ${key.school_id} and job_no = ${key.job_no}`.execute(db)
  if (done + failed === 0) return
  await tellJob(db, key)
  await sql`update work set fruitless = 0 where school_id = ${key.school_id} and kind = 'job' and ref = ${key.job_no} and fruitless > 0`.execute(db)
}

/** Changes what the run says of itself. */
export async function describeJob(db: Kysely<unknown>, key: JobKey, facts: { stage?: string; total?: number; result_file?: string; result_name?: string }): Promise<void> {
  await ours(db).updateTable('job').set({ ...alive, ...facts }).where('school_id', '=', key.school_id).where('job_no', '=', key.job_no).execute()
  await tellJob(db, key)
}

/** Back to the queue, for another attempt. */
export async function requeueJob(db: Kysely<unknown>, key: Holder): Promise<void> {
  await ours(db)
    .updateTable('job')
    .set({ state: 'queued', lease_until: null })
    .where('school_id', '=', key.school_id)
    .where('job_no', '=', key.job_no)
    .where('state', '=', 'running')
    .where('attempts', '=', key.attempts)
    .execute()
}

/** What a job ends with. */
export type Ending = { state: JobEnd; msg: string | null; error_id: string | null; now: Date }

/** Ends a live job (a success with failed items is `partly`) and takes it off the due list; nothing when it had ended already. Answers its row. */
export async function endJob(db: Kysely<unknown>, key: JobKey, end: Ending) {
  const row = await ours(db)
    .updateTable('job')
    .set({ state: end.state === 'succeeded' ? sql<string>`case when failed > 0 then 'partly' else 'succeeded' end` : end.state, error_msg: end.msg, error_id: end.error_id, finished_at: end.now, stage: null, lease_until: null })
    .where('school_id', '=', key.school_id)
    .where('job_no', '=', key.job_no)
    .where('state', 'in', live_states)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await ours(db).deleteFrom('work').where('school_id', '=', key.school_id).where('kind', '=', 'job').where('ref', '=', key.job_no).execute()
  await tellJob(db, key, true)
  if (row.result_file !== null) await addWork(db, { school_id: key.school_id, kind: 'job_expire', ref: key.job_no, due_at: row.expire_at })
  return row
}
