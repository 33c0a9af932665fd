import { meChannel } from '@campus/identity/contract'
import { job_states, job_view_all, jobChannel } from '@campus/jobs/contract'
import { push, serveChannel } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'

type Key = { school_id: number; job_no: string }
const Found = jobChannel.row.extend({ state: z.enum(job_states), created_by: z.string() })

/** A job is watched by whoever started it, and by those who may see everybody's. */
export const servedJobChannel = serveChannel(jobChannel, {
  async may({ db, school_id, me }, job_no) {
    const { rows } = await sql`select from job where school_id = ${school_id} and job_no = ${job_no} and (created_by = ${me.user_id} or ${me.codes.has(job_view_all)})`.execute(db)
    return rows.length > 0
  },
})

/** Tells how a job gets on; `turn`: it was begun or has ended, which the bell wants to know too. */
export async function tellJob(db: QueryExecutorProvider, { school_id, job_no }: Key, turn = false): Promise<void> {
  const { rows } = await sql`
    select job_no, state, stage, total, done, failed, error_msg, created_by from job where school_id = ${school_id} and job_no = ${job_no}`.execute(db)
  const found = Found.safeParse(rows[0]).data
  if (!found) return
  const { created_by, ...row } = found
  await push({ db, school_id }, jobChannel, [row], { of: job_no })
  if (turn) await push({ db, school_id }, meChannel, [{ kind: 'jobs' }], { users: [created_by] })
}
