import { event, id } from '@kit/contract'
import { z } from 'zod'

/** What the jobs domain tells the others (chapter 90 §3). */
export const jobsEvents = {
  /** a job has ended, whichever way (`state`: succeeded, partly, failed, cancelled); `is_told`: whoever started it gets a line in his inbox, if he has not ended it himself */
  finished: event('job.job.finished', z.object({ job_no: z.string(), kind: z.string(), title: z.string(), state: z.string(), user_id: id('identity.account'), has_result: z.boolean(), is_told: z.boolean() })),
}
