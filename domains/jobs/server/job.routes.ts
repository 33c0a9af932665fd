import { jobApi } from '@campus/jobs/contract'
import { implement } from './db.ts'
import { cancelJob, jobResult, listJobs, readJob } from './job.service.ts'

export const jobRoutes = implement(jobApi, {
  list: listJobs,
  one: (ctx, { job_no }) => readJob(ctx, job_no),
  cancel: (ctx, { job_no }) => cancelJob(ctx, job_no),
  result: { outside: (pre, { job_no }) => jobResult(pre, job_no) },
})
