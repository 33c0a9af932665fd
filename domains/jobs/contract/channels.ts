import { channel } from '@kit/contract'
import { JobRow } from './job.ts'

/** How a job gets on, for whoever started it. */
export const JobProgressRow = JobRow.pick({ job_no: true, state: true, stage: true, total: true, done: true, failed: true, error_msg: true })
export const jobChannel = channel('job:{no}', JobProgressRow, { within: 'self' })
