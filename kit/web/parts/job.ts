import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usePage } from '../page/page-context.ts'
import { kitPorts } from '../ports.ts'
import type { JobView } from '../ports.ts'
import { useChannel, useRealtime } from '../realtime/use-channel.ts'

const POLL_MS = 1000
/** What is told may be lost: it is looked for now and then. */
const TOLD_MS = 5000

/** True while a job still has something to do. */
export function jobRuns(job: Pick<JobView, 'state'>): boolean {
  return job.state === 'queued' || job.state === 'running'
}

/** Follows one job: as it is told, with a look now and then, or every second where nothing is told; stops while its page is hidden. */
export function useJob(job_no: string | null): JobView | undefined {
  const { active } = usePage()
  const client = useQueryClient()
  const live = useRealtime() === 'live'
  const queryKey = ['job', job_no]
  const { data } = useQuery({
    queryKey,
    queryFn: () => kitPorts().job(job_no ?? ''),
    enabled: active && job_no !== null,
    refetchInterval: (query) => (query.state.data && !jobRuns(query.state.data) ? false : live ? TOLD_MS : POLL_MS),
  })
  const ask = () => void client.invalidateQueries({ queryKey })
  useChannel(kitPorts().jobChannel, ask, { of: active && data && jobRuns(data) ? job_no : null, onGap: ask })
  return data
}
