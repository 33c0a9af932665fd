import { ScheduleOutlined } from '@ant-design/icons'
import { useRunningJobs } from '@campus/jobs/web'
import { Button, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const JobDrawer = lazy(() => import('./job-drawer.tsx').then((part) => ({ default: part.JobDrawer })))

/** Number of my running jobs; opens the task centre. */
export function JobBell(): ReactNode {
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  const running = useRunningJobs()
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
      <Suspense>{opened && <JobDrawer open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
