import { jobApi } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { call, jobRuns, toast } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

const BUSY_MS = 2000
const QUIET_MS = 15_000

type Jobs = { list: JobRow[]; total: number }

/** My latest jobs: every two seconds while one of them runs, else every fifteen. */
export function useJobs(): UseQueryResult<Jobs> {
  return useQuery({
    queryKey: [jobApi.list.call],
    queryFn: ({ signal }) => call(jobApi.list, { page_size: 20 }, { signal, quiet: true }),
    refetchInterval: (query) => (query.state.data?.list.some(jobRuns) ? BUSY_MS : QUIET_MS),
  })
}

/** How many of my jobs run, for the bell of the top bar; says so when one ends. Stands once in the layout. */
export function useRunningJobs(): number {
  const { data } = useJobs()
  const running = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!data) return
    for (const job of data.list) if (running.current.has(job.job_no) && !jobRuns(job)) announce(job)
    running.current = new Set(data.list.filter(jobRuns).map((job) => job.job_no))
  }, [data])
  return data?.list.filter(jobRuns).length ?? 0
}

function announce(job: JobRow): void {
  if (job.state === 'failed') toast.error(`${job.title}失败`)
  else if (job.state === 'cancelled') toast.info(`${job.title}已取消`)
  else toast.success(`${job.title}已完成`)
}
