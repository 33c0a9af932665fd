import { useQuery } from '@tanstack/react-query'
import { usePage } from '../page/page-context.ts'
import { kitPorts } from '../ports.ts'
import type { JobView } from '../ports.ts'

const POLL_MS = 1000

/** True while a job still has something to do. */
export function jobRuns(job: Pick<JobView, 'state'>): boolean {
  return job.state === 'queued' || job.state === 'running'
}

/** Follows one job, every second while it runs; stops while its page is hidden. */
export function useJob(job_no: string | null): JobView | undefined {
  const { active } = usePage()
  const { data } = useQuery({
    queryKey: ['job', job_no],
    queryFn: () => kitPorts().job(job_no ?? ''),
    enabled: active && job_no !== null,
    refetchInterval: (query) => (query.state.data && !jobRuns(query.state.data) ? false : POLL_MS),
  })
  return data
}
