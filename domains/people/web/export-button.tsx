import { Can } from '@kit/web'
import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import type { RecordTab } from './record-search.ts'

const ExportDialog = lazy(() => import('./export-dialog.tsx').then(part => ({ default: part.ExportDialog })))

/** Codes rather than endpoints: the contract of the export is fetched with its dialog. */
const needs: Record<RecordTab, string> = { student: 'people.student.export', parent: 'people.parent.export' }

/** 导出 of the shown list, as it is filtered; the button turns until the code of the dialog is there. */
export function ExportButton({ tab }: { tab: RecordTab }): ReactNode {
  const [open, setOpen] = useState(false)
  const [fetching, start] = useTransition()
  return (
    <Can code={needs[tab]}>
      <Button icon={<ExportOutlined aria-hidden />} loading={fetching} onClick={() => start(() => setOpen(true))}>导出</Button>
      {open && <ExportDialog tab={tab} close={() => setOpen(false)} />}
    </Can>
  )
}
