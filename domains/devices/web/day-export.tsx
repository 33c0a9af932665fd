import { ExportOutlined } from '@ant-design/icons'
import type { Endpoint } from '@kit/contract'
import { Can } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import type { DayExportQuestion } from './day-export-dialog.tsx'

const DayExportDialog = lazy(() => import('./day-export-dialog.tsx').then(part => ({ default: part.DayExportDialog })))

/** 导出 of what has happened on some days, which are asked for first; the code of the dialog comes with the first question. */
export function DayExport({ code, ...question }: DayExportQuestion & { code: Endpoint }): ReactNode {
  const [open, setOpen] = useState(false)
  const [fetching, start] = useTransition()
  return (
    <Can code={code}>
      <Button icon={<ExportOutlined aria-hidden />} loading={fetching} onClick={() => start(() => setOpen(true))}>导出</Button>
      <Suspense>{open && <DayExportDialog {...question} close={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
