import { parentExportApi, studentExportApi } from '@campus/people/contract'
import { Can } from '@kit/web'
import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ExportDialog } from './export-dialog.tsx'
import type { RecordTab } from './record-search.ts'

/** 导出 of the shown list, as it is filtered. */
export function ExportButton({ tab }: { tab: RecordTab }): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <Can code={tab === 'student' ? studentExportApi.export : parentExportApi.export}>
      <Button icon={<ExportOutlined />} onClick={() => setOpen(true)}>导出</Button>
      {open && <ExportDialog tab={tab} close={() => setOpen(false)} />}
    </Can>
  )
}
