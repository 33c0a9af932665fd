import { PrinterOutlined } from '@ant-design/icons'
import { Can, useFocusReturn } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const RosterPrint = lazy(() => import('./roster-print.tsx').then(part => ({ default: part.RosterPrint })))
/** The code rather than the endpoint, so that the page stays light. */
const read_code = 'people.student.view'

type Props = { dept_id: string; dept_name: string; on: string | undefined }

/** 打印花名册 of a grade or class; its code comes when it is first opened. */
export function RosterButton(props: Props): ReactNode {
  const [open, setOpen] = useState(false)
  useFocusReturn(open)
  return (
    <Can code={read_code}>
      <Button size="small" icon={<PrinterOutlined aria-hidden />} aria-label={`打印花名册 ${props.dept_name}`} onClick={() => setOpen(true)}>花名册</Button>
      <Suspense>{open && <RosterPrint {...props} onClose={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
