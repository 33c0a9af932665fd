import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import { Can } from '../session/permission.tsx'
import type { Marker } from '../session/permission.tsx'
import type { ExportQuestion } from './export-dialog.tsx'

const ExportDialog = lazy(() => import('./export-dialog.tsx').then(part => ({ default: part.ExportDialog })))

/** 导出 of a filtered list as a sheet. What it will hold is said before, a reason is asked for where the rules want one. */
export function ExportButton({ code, label = '导出', ...question }: ExportQuestion & { code: Marker; label?: string }): ReactNode {
  const [open, setOpen] = useState(false)
  const [fetching, start] = useTransition()
  return (
    <Can code={code}>
      <Button icon={<ExportOutlined aria-hidden />} loading={fetching} onClick={() => start(() => setOpen(true))}>{label}</Button>
      <Suspense>{open && <ExportDialog {...question} close={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
