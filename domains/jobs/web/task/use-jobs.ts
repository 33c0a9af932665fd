import { jobApi, jobChannel } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { call, jobRuns, toast, useChannel, useRealtime } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

const BUSY_MS = 2000
const QUIET_MS = 15_000

type Jobs = { list: JobRow[]; total: number }
/** My own jobs, or everybody's of the school, for those who may see them. */
export type Whose = 'mine' | 'school'

const keyOf = (whose: Whose) => [jobApi.list.call, whose]

/** The latest jobs: as they are told, or every two seconds while one of them runs and every fifteen else. */
export function useJobs(whose: Whose = 'mine'): UseQueryResult<Jobs> {
  const live = useRealtime() === 'live'
  return useQuery({
    queryKey: keyOf(whose),
    queryFn: ({ signal }) => call(jobApi.list, { page_size: 20, ...(whose === 'mine' && { mine: '1' }) }, { signal, quiet: true }),
    refetchInterval: (query) => (live && whose === 'mine' ? false : query.state.data?.list.some(jobRuns) ? BUSY_MS : QUIET_MS),
  })
}

/** Follows one job of the list while it runs. */
export function useJobProgress(job: JobRow): void {
  const client = useQueryClient()
  useChannel(
    jobChannel,
    (rows) => {
      const latest = rows.at(-1)
      if (!latest) return
      client.setQueriesData<Jobs>({ queryKey: [jobApi.list.call] }, (held) => held && { ...held, list: held.list.map((one) => (one.job_no === latest.job_no ? { ...one, ...latest } : one)) })
    },
    { of: jobRuns(job) ? job.job_no : null, onGap: () => void client.invalidateQueries({ queryKey: [jobApi.list.call] }) },
  )
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
