import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { downloadFile } from '@kit/web'
import { DownloadOutlined } from '@ant-design/icons'
import { Button, Checkbox, Tabs } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ApplyButton } from './apply-button.tsx'
import { firstTab, rowTabs } from './row-tabs.ts'
import type { RowTab } from './row-tabs.ts'
import { RowsView } from './rows-view.tsx'

/** The dry run: counters as tabs, rows to look at and mend, and the import itself once no error is left. */
export function CheckStep({ batch, unit, again }: { batch: ImportBatch; unit: string; again: () => void }): ReactNode {
  const [tab, setTab] = useState<RowTab>(() => firstTab(batch))
  const [all, setAll] = useState(false)
  const open = (key: string) => setTab(rowTabs.find(({ name }) => name === key)?.name ?? 'all')
  return (
    <div className="import-check">
      <Tabs
        size="small"
        activeKey={tab}
        onChange={open}
        items={rowTabs.map(({ name, label, tone, count }) => ({ key: name, label: <TabLabel label={label} tone={tone} count={count(batch)} /> }))}
        tabBarExtraContent={
          <div className="import-tools">
            <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>{`显示全部 ${batch.columns.length} 列`}</Checkbox>
            {batch.rows_error > 0 && (
              <Button size="small" icon={<DownloadOutlined />} onClick={() => void downloadFile(importApi.errorSheet, { batch_no: batch.batch_no }).catch(() => undefined)}>
                下载错误表
              </Button>
            )}
          </div>
        }
      />
      <RowsView key={tab} batch={batch} pick={tab} all={all} foot={<CheckFoot batch={batch} unit={unit} again={again} />} />
    </div>
  )
}

function TabLabel({ label, tone, count }: { label: string; tone: string; count: number }): ReactNode {
  return (
    <span className={count > 0 ? `import-tab import-tab-${tone}` : 'import-tab'}>
      {label} <b className="kit-number">{count.toLocaleString('zh-CN')}</b>
    </span>
  )
}

function CheckFoot({ batch, unit, again }: { batch: ImportBatch; unit: string; again: () => void }): ReactNode {
  return (
    <>
      <Button onClick={again}>重新上传</Button>
      <ApplyButton batch={batch} unit={unit} />
    </>
  )
}
