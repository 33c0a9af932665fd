import { TaskCenter } from '@campus/jobs/web'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'

/** 任务中心 at the right edge. */
export function JobDrawer({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Drawer title="任务中心" open={open} onClose={onClose} size={420}>
      <TaskCenter />
    </Drawer>
  )
}
