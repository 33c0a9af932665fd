import type { JobRow } from '@campus/jobs/contract'
import { serverNow } from '@kit/web'
import { useState } from 'react'
import { remainingText } from './remaining.ts'
import type { Sample } from './remaining.ts'

/** Remaining time of a running job, measured since it came into sight; begins anew with each stage. */
export function useRemaining(job: JobRow): string | undefined {
  const now: Sample = { stage: job.stage, done: job.done, at: serverNow() }
  const [first, setFirst] = useState(now)
  if (first.stage !== job.stage || job.done < first.done) setFirst(now)
  return job.state === 'running' ? remainingText(first, now, job.total) : undefined
}
