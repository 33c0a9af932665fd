import { TaskCenter } from '@campus/jobs/web'
import { AppDrawer } from '@kit/web'
import type { ReactNode } from 'react'

/** 任务中心 at the right edge. */
export function JobDrawer({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <AppDrawer title="任务中心" open={open} onClose={onClose} size={420}>
      <TaskCenter />
    </AppDrawer>
  )
}
