import { aiRecordApi } from '@campus/devices/contract'
import { call, downloadFile, sentenceOf, usePage, usePageKeys } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Alert, Button, Empty, Pagination, Segmented, Skeleton } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { useTriage } from './use-triage.ts'
import { askedOf, page_size, useWarningEar, useWarningSums } from './use-warnings.ts'
import type { Asked } from './use-warnings.ts'
import { WarningDetail } from './warning-detail.tsx'
import { WarningList } from './warning-list.tsx'
import { WarningSide } from './warning-side.tsx'
import './ai.css'

const every = 'all'

/** AI预警记录: what boxes have seen and nobody has decided of yet, one after the other, by mouse or by key. */
export default function AiRecord(): ReactNode {
  const { search, setSearch } = usePage()
  // Whoever comes by a message sees that warning, whatever became of it.
  const state = search['state'] ?? (search['warning_id'] === undefined ? '0' : every)
  const asked = askedOf({ ...search, state: state === every ? undefined : state })
  const change = (patch: Record<string, string | undefined>) => setSearch(Object.fromEntries(Object.entries({ ...search, page_index: undefined, warning_id: undefined, ...patch }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))))
  const page_index = Number(search['page_index'] ?? 1)
  const triage = useTriage(asked, page_index, search['warning_id'])
  const { page, current, selected } = triage
  // The last page is empty once everything on it is decided of, while there are others before it.
  const is_stranded = page.data !== undefined && !page.isPlaceholderData && page.data.list.length === 0 && page.data.total > 0 && page_index > 1
  useEffect(() => {
    if (is_stranded) change({})
  })
  usePageKeys({ j: () => triage.walk(1), k: () => triage.walk(-1), i: () => void triage.act('ignore'), w: () => void triage.act('illegal'), u: () => void triage.undo() })
  return (
    <div className="ai-page" data-ready={page.data ? 'ai-record' : undefined}>
      {usePlaceChoices().map(place => <Ear key={place.value} place_id={place.value} />)}
      <Bar asked={asked} state={state} change={change} selected={selected} total={page.data?.total ?? 0} undo={triage.may_undo_last ? () => void triage.undo() : null} />
      {page.error && !page.data && <Alert type="error" showIcon title={sentenceOf(page.error)} action={<Button onClick={() => void page.refetch()}>重试</Button>} />}
      <div className="ai-triage">
        <WarningSide asked={asked} change={change} />
        <div>
          {!page.data && !page.error && <Skeleton active />}
          {page.data && page.data.list.length === 0 && <Empty description={state === '0' ? '没有待处理的预警，可以查看已处理的或更早的日期' : '没有符合条件的预警，可以换个条件'} />}
          {page.data && page.data.list.length > 0 && <WarningList warnings={page.data.list} current={current} choose={triage.choose} selected={selected} select={triage.select} />}
          {page.data && page.data.total > page_size && <Pagination size="small" simple current={page_index} pageSize={page_size} total={page.data.total} onChange={index => change({ page_index: String(index) })} />}
        </div>
        {current && <WarningDetail key={current.warning_id} warning={current} busy={triage.busy} act={triage.act} undo={triage.undo} note={triage.note} write={triage.write} />}
      </div>
    </div>
  )
}

type BarProps = { asked: Asked; state: string; change: (patch: Record<string, string | undefined>) => void; selected: readonly string[]; total: number; undo: (() => void) | null }

/** The states with their numbers, and what leaves the page. */
function Bar({ asked, state, change, selected, total, undo }: BarProps): ReactNode {
  const states = useWarningSums(asked).data?.states
  const label = (name: string, key: '0' | '1' | '2') => `${name} ${states?.[key] ?? 0}`
  const wanted = selected.length > 0 ? { ids: [...selected] } : { filter: asked }
  return (
    <header className="ai-bar">
      <Segmented aria-label="状态" value={state} onChange={value => change({ state: value })} options={[{ value: '0', label: label('待处理', '0') }, { value: '1', label: label('已忽略', '1') }, { value: '2', label: label('违规', '2') }, { value: every, label: '全部' }]} />
      <small className="device-quiet">J 下一条　K 上一条　I 忽略　W 违规　U 撤销</small>
      {undo && <Button type="link" size="small" onClick={undo}>撤销上一次处理</Button>}
      <span className="ai-bar-end">
        <ExportButton code={aiRecordApi.export} title="导出AI预警记录" total={total} run={() => downloadFile(aiRecordApi.export, asked, { quiet: true })} />
        <ExportButton code={aiRecordApi.export_images} label={selected.length > 0 ? `导出图片（${selected.length}条）` : '导出图片'} title="导出AI预警图片" total={selected.length > 0 ? selected.length : total} kept="24 小时" reason_above={0} run={reason => call(aiRecordApi.export_images, { ...wanted, reason }, { quiet: true })} />
      </span>
    </header>
  )
}

function Ear({ place_id }: { place_id: string }): null {
  useWarningEar(place_id)
  return null
}
