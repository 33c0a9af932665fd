import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { downloadFile } from '@kit/web'
import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Tabs } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { sayUnreachable } from '../refusal.ts'
import { ApplyButton } from './apply-button.tsx'
import { earlierOf, unreadText } from './batch-told.ts'
import { firstTab, rowTabs } from './row-tabs.ts'
import type { RowTab } from './row-tabs.ts'
import { RowsView } from './rows-view.tsx'
import type { Unsaved } from './use-unsaved.ts'

type Props = { batch: ImportBatch; unit: string; unsaved: Unsaved; again: () => void }

/** The dry run: counters as tabs, rows to look at and mend, and the import itself once no error is left. */
export function CheckStep({ batch, unit, unsaved, again }: Props): ReactNode {
  const [tab, setTab] = useState<RowTab>(() => firstTab(batch))
  const [all, setAll] = useState(false)
  const open = (key: string) => setTab(rowTabs.find(({ name }) => name === key)?.name ?? 'all')
  const earlier = earlierOf(batch)
  return (
    <div className="import-check">
      {earlier !== null && <Alert className="import-trouble" type="info" showIcon title={earlier} />}
      {batch.notes.length > 0 && <Alert className="import-trouble" type="warning" showIcon title={`${batch.notes.join('；')}，这些行也会导入；不需要的请在“警告”中忽略`} />}
      {batch.unread.length > 0 && (
        <Alert className="import-trouble" type="warning" showIcon title={`工作表${unreadText(batch)}没有本模板的表头，不会导入；需要导入的请改好表头后重新上传`} />
      )}
      <div className="import-bar">
        <Tabs
          size="small"
          activeKey={tab}
          onChange={open}
          items={rowTabs.map(({ name, label, tone, count }) => ({ key: name, label: <TabLabel label={label} tone={tone} count={count(batch)} /> }))}
        />
        <div className="import-tools">
          <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>{`显示全部 ${batch.columns.length} 列`}</Checkbox>
          {batch.rows_error > 0 && (
            <Button size="small" icon={<DownloadOutlined aria-hidden />} onClick={() => void downloadFile(importApi.errorSheet, { batch_no: batch.batch_no }).catch(sayUnreachable)}>
              下载错误表
            </Button>
          )}
        </div>
      </div>
      <RowsView key={tab} batch={batch} pick={tab} all={all} unsaved={unsaved} foot={<CheckFoot batch={batch} unit={unit} unsaved={unsaved} again={again} />} />
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

function CheckFoot({ batch, unit, unsaved, again }: Props): ReactNode {
  if (!batch.is_mine) return <span className="import-hint">{`由${batch.created_by_name}上传，只能查看；由其本人修改和确认导入`}</span>
  return (
    <>
      <Button onClick={again}>重新上传</Button>
      <ApplyButton batch={batch} unit={unit} unsaved={unsaved.count} />
    </>
  )
}
