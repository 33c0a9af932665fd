import { ScheduleOutlined } from '@ant-design/icons'
import { jobApi } from '@campus/jobs/contract'
import { call, jobRuns } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const JobDrawer = lazy(() => import('./job-drawer.tsx'))
const BUSY_MS = 3000
const QUIET_MS = 30_000

/** Number of my running jobs; opens the job drawer. */
export function JobBell(): ReactNode {
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  const jobs = useQuery({
    queryKey: [jobApi.list.call],
    queryFn: ({ signal }) => call(jobApi.list, { page_size: 20 }, { signal, quiet: true }),
    refetchInterval: (query) => (query.state.data?.list.some(jobRuns) ? BUSY_MS : QUIET_MS),
  })
  const running = jobs.data?.list.filter(jobRuns).length ?? 0
  const show = () => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <Tooltip title="任务中心">
        <Button type="text" className="app-bell" icon={<ScheduleOutlined />} aria-label={`任务中心，${running}个任务进行中`} onClick={show}>
          {running > 0 && <span className="app-count">{running}</span>}
        </Button>
      </Tooltip>
      <Suspense>{opened && <JobDrawer open={open} jobs={jobs.data?.list ?? []} refresh={jobs.refetch} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
