import { randomUUID } from 'node:crypto'
import type { App, Me } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { deskPort } from './desk.ts'
import { addWork } from './due-work.ts'
import { tellJob } from './job.channel.ts'
import { freezeIdentity } from './runner/frozen-identity.ts'

export const job_work = 'job'
const hour_ms = 3_600_000
const week_hours = 168

export type NewJob = {
  kind: string
  title: string
  /** JSON that the kind reads back */
  params: object
  total?: number
  /** jobs of one lane of a school run one after the other; the waiting ones show 排队中 */
  lane?: string
  /** hours for which the job and its result file are kept; default seven days, results of people 24 hours (decision 26) */
  keep_hours?: number
  /** the result file may be fetched once, and is gone with that: for what must not lie about */
  result_once?: boolean
}

/** The part of a handler's ctx that starts a job; `db` may be typed to any tables. */
export type JobStarter = { db: QueryExecutorProvider; me: Me; now: Date; app: App; school_id: number }

/**
 * Starts a job in the caller's transaction: it runs after the commit, or never. It acts as `ctx.me` with the codes and scopes
 * of this moment. Answers its job_no.
 */
export async function enqueueJob(ctx: JobStarter, job: NewJob): Promise<string> {
  const { db, me, now, school_id } = ctx
  const job_no = randomUUID()
  const expire_at = new Date(now.getTime() + (job.keep_hours ?? week_hours) * hour_ms)
  const title = [...job.title].slice(0, 100).join('')
  // Plain statements: the caller's handle is typed to its own tables.
  await sql`
    insert into job (school_id, job_no, kind, title, params, identity, stage, total, created_by, created_role_no, created_at, expire_at, result_once)
    values (${school_id}, ${job_no}, ${job.kind}, ${title}, ${JSON.stringify(job.params)}::jsonb, ${freezeIdentity(me)}::jsonb, '排队中',
      ${job.total ?? 0}, ${me.user_id}, ${me.role_no}, ${now}, ${expire_at}, ${job.result_once === true})`.execute(db)
  await addWork(db, { school_id, kind: job_work, ref: job_no, due_at: now, lane: job.lane })
  await tellJob(db, { school_id, job_no }, true)
  deskPort.one(ctx.app).runner?.wake()
  return job_no
}
