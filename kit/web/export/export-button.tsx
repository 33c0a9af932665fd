import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Can } from '../session/permission.tsx'
import type { Marker } from '../session/permission.tsx'
import { ExportDialog } from './export-dialog.tsx'
import type { ExportQuestion } from './export-dialog.tsx'

/** 导出 of a filtered list as a sheet. What it will hold is said before, a reason is asked for where the rules want one. */
export function ExportButton({ code, label = '导出', ...question }: ExportQuestion & { code: Marker; label?: string }): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <Can code={code}>
      <Button icon={<ExportOutlined aria-hidden />} onClick={() => setOpen(true)}>{label}</Button>
      {open && <ExportDialog {...question} close={() => setOpen(false)} />}
    </Can>
  )
}
