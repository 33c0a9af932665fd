import { deptExportApi } from '@campus/people/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { ExportProgress } from '@kit/web/export'
import { Alert } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Side } from './dept-place.ts'

/** The departments of a tree as a sheet, then its progress; the file is fetched here or from the task center. */
export function DeptExportDialog({ tree, on, close }: { tree: Side; on?: string; close: () => void }): ReactNode {
  const [job_no, setJob] = useState<string | null>(null)
  const { busy, refused, run } = useSaving()
  const start = () => run(async () => setJob((await call(deptExportApi.export, { tree, on }, { quiet: true })).job_no))
  if (job_no !== null) return <ExportProgress job_no={job_no} kept="24 小时" close={close} />
  return (
    <AppModal open title="导出部门清单" width={480} okText="导出" confirmLoading={busy} onOk={() => void start()} onCancel={close}>
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      <p>{`按组织架构的顺序导出${tree === 'staff' ? '教职工' : '学生'}部门${on === undefined ? '' : `在 ${on} 的样子`}：路径、类型、负责人、备注和人数，列与导入模板一致。`}</p>
    </AppModal>
  )
}
