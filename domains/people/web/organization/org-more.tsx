import { useFocusReturn, useMay } from '@kit/web'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { takes_focus } from './menu-focus.ts'

const RemarkDrawer = lazy(() => import('../remark/remark-drawer.tsx').then(part => ({ default: part.RemarkDrawer })))
const DeptExportDialog = lazy(() => import('./dept-export-dialog.tsx').then(part => ({ default: part.DeptExportDialog })))
const SyncDrawer = lazy(() => import('../sync/sync-drawer.tsx').then(part => ({ default: part.SyncDrawer })))
const StatisDrawer = lazy(() => import('../remark/statis-drawer.tsx').then(part => ({ default: part.StatisDrawer })))

const items = [
  { key: 'remarks', label: '备注设置', need: 'people.dept.edit' },
  { key: 'figures', label: '备注统计', need: 'people.dept.view' },
  { key: 'export', label: '导出部门', need: 'people.dept.export' },
  { key: 'sync', label: '名册同步', need: 'people.sync.run' },
] as const
type Opened = (typeof items)[number]['key'] | null

/** 更多 of the student organisation: what is wanted a few times a year. */
export function OrgMore({ on }: { on: string | undefined }): ReactNode {
  const [opened, open] = useState<Opened>(null)
  const may = useMay()
  useFocusReturn(opened !== null)
  const shown = items.filter(item => may(item.need)).map(({ key, label }) => ({ key, label, onClick: () => open(key) }))
  if (shown.length === 0) return null
  return (
    <>
      <Dropdown menu={{ items: shown }} trigger={['click']} placement="bottomRight" {...takes_focus}><Button>更多</Button></Dropdown>
      <Suspense>
        {opened === 'remarks' && <RemarkDrawer onClose={() => open(null)} />}
        {opened === 'export' && <DeptExportDialog tree="student" on={on} close={() => open(null)} />}
        {opened === 'sync' && <SyncDrawer onClose={() => open(null)} />}
        {opened === 'figures' && <StatisDrawer on={on} onClose={() => open(null)} />}
      </Suspense>
    </>
  )
}
