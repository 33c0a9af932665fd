import { api, Done, download, filter, get, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'

export const job_states = ['queued', 'running', 'succeeded', 'partly', 'failed', 'cancelled'] as const

/** Permission to see and to cancel the jobs of everybody in the school; without it each person sees his own. Result files are their owner's alone. */
export const job_view_all = 'job.job.view_all'

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
  created_by_name: z.string(),
  /** whether the caller started it; others may look, its file is not theirs */
  is_mine: z.boolean(),
  created_at: Instant,
  finished_at: Instant.nullable(),
})
export type JobRow = z.output<typeof JobRow>

const ByNo = z.object({ job_no: JobNo })

export const jobApi = api('web', 'jobs.job', {
  list: get('job/page', { query: PageQuery.extend({ state: filter(z.enum(job_states)), mine: filter(z.literal('1')) }), reply: page(JobRow), session: true, within: 'self' }),
  one: get('job/:job_no', { params: ByNo, reply: JobRow, session: true, within: 'self' }),
  cancel: post('job/cancel/:job_no', { params: ByNo, reply: Done, session: true, within: 'self', op: 4 }),
  result: get('job/result/:job_no', { params: ByNo, reply: download, session: true, within: 'self', op: 7 }),
})
