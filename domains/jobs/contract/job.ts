import { api, Done, download, filter, get, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'

export const job_states = ['queued', 'running', 'succeeded', 'partly', 'failed', 'cancelled'] as const

export const JobNo = z.string().max(40).regex(/^[0-9A-Za-z-]+$/)

/** One piece of work that takes time; `done` never goes back. */
export const JobRow = z.object({
  job_no: JobNo,
  kind: z.string(),
  title: z.string(),
  state: z.enum(job_states),
  stage: z.string().nullable(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  has_result: z.boolean(),
  cancel_asked: z.boolean(),
  error_msg: z.string().nullable(),
  created_at: Instant,
  finished_at: Instant.nullable(),
})
export type JobRow = z.output<typeof JobRow>

const ByNo = z.object({ job_no: JobNo })

export const jobApi = api('web', 'jobs.job', {
  list: get('job/page', { query: PageQuery.extend({ state: filter(z.enum(job_states)) }), reply: page(JobRow), session: true, within: 'self' }),
  one: get('job/:job_no', { params: ByNo, reply: JobRow, session: true, within: 'self' }),
  cancel: post('job/cancel/:job_no', { params: ByNo, reply: Done, session: true, within: 'self', op: 4 }),
  result: get('job/result/:job_no', { params: ByNo, reply: download, session: true, within: 'self', op: 7 }),
})
