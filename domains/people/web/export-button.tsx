import { Can } from '@kit/web'
import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import type { ExportList } from './export-request.ts'

const ExportDialog = lazy(() => import('./export-dialog.tsx').then(part => ({ default: part.ExportDialog })))

/** Codes rather than endpoints: the contract of the export is fetched with its dialog. */
const needs: Readonly<Record<ExportList, string>> = { student: 'people.student.export', parent: 'people.parent.export', staff: 'people.staff.export' }

/** 导出 of the shown list, as it is filtered; the button turns until the code of the dialog is there. */
export function ExportButton({ list }: { list: ExportList }): ReactNode {
  const [open, setOpen] = useState(false)
  const [fetching, start] = useTransition()
  return (
    <Can code={needs[list]}>
      <Button icon={<ExportOutlined aria-hidden />} loading={fetching} onClick={() => start(() => setOpen(true))}>导出</Button>
      <Suspense fallback={null}>{open && <ExportDialog list={list} close={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
