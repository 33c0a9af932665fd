import { importApi } from '@campus/jobs/contract'
import { downloadFile } from '@kit/web'
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sayUnreachable } from '../refusal.ts'
import { RecentBatches } from './recent-batches.tsx'
import { UploadBox } from './upload-box.tsx'

/** Before there is a batch: the template, the file, and batches to come back to. */
export function StartStep({ template, onBatch }: { template: string; onBatch: (batch_no: string) => void }): ReactNode {
  return (
    <div className="import-start">
      <div className="import-cards">
        <TemplateCard template={template} />
        <section className="import-card">
          <h3>2　上传填好的文件</h3>
          <UploadBox template={template} onBatch={onBatch} />
        </section>
      </div>
      <RecentBatches template={template} onBatch={onBatch} />
    </div>
  )
}

function TemplateCard({ template }: { template: string }): ReactNode {
  const [busy, setBusy] = useState(false)
  const download = () => {
    setBusy(true)
    downloadFile(importApi.template, { code: template })
      .catch(sayUnreachable)
      .finally(() => setBusy(false))
  }
  return (
    <section className="import-card">
      <h3>1　下载模板</h3>
      <ul className="import-notes">
        <li>第 1 行是填写说明，第 2 行是表头，数据从第 3 行开始；一个文件可以有多个相同表头的工作表</li>
        <li>表头请勿改动；带下拉的列请从下拉中选择</li>
        <li>已有的数据：空单元格不修改，填 [清空] 可清除选填列</li>
        <li>上传后先核对，确认导入之前不会写入任何数据</li>
      </ul>
      <Button icon={<DownloadOutlined aria-hidden />} loading={busy} onClick={download}>下载模板</Button>
    </section>
  )
}
