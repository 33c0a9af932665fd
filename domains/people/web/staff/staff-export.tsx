import { Can } from '@kit/web'
import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState, useTransition } from 'react'
import type { ReactNode } from 'react'

const Dialog = lazy(() => import('./staff-export-dialog.tsx').then(part => ({ default: part.StaffExportDialog })))

/** 导出 of the shown list, as it is filtered; the button turns until the code of the dialog is there. */
export function StaffExport(): ReactNode {
  const [open, setOpen] = useState(false)
  const [fetching, start] = useTransition()
  return (
    <Can code="people.staff.export">
      <Button icon={<ExportOutlined aria-hidden />} loading={fetching} onClick={() => start(() => setOpen(true))}>导出</Button>
      <Suspense fallback={null}>{open && <Dialog close={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
