import { aiRecordApi } from '@campus/devices/contract'
import type { AiWarning } from '@campus/devices/contract'
import { call, downloadFile, sentenceOf, useCan, usePage, usePageKeys } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Alert, Button, Empty, Pagination, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { askedOf, decide, page_size, useWarningEar, useWarnings, useWarningsChanged, useWarningSums } from './use-warnings.ts'
import type { Asked, Decision } from './use-warnings.ts'
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
  const triage = useTriage(asked, Number(search['page_index'] ?? 1), search['warning_id'])
  const { page, current, selected } = triage
  usePageKeys({ j: () => triage.walk(1), k: () => triage.walk(-1), i: () => triage.act('ignore'), w: () => triage.act('illegal'), u: () => triage.act('undo') })
  return (
    <div className="ai-page" data-ready={page.data ? 'ai-record' : undefined}>
      {usePlaceChoices().map(place => <Ear key={place.value} place_id={place.value} />)}
      <Bar asked={asked} state={state} change={change} selected={selected} total={page.data?.total ?? 0} />
      {page.error && !page.data && <Alert type="error" showIcon title={sentenceOf(page.error)} action={<Button onClick={() => void page.refetch()}>重试</Button>} />}
      <div className="ai-triage">
        <WarningSide asked={asked} change={change} />
        <div>
          {!page.data && !page.error && <Skeleton active />}
          {page.data && page.data.list.length === 0 && <Empty description={state === '0' ? '没有待处理的预警，可以查看已处理的或更早的日期' : '没有符合条件的预警，可以换个条件'} />}
          {page.data && page.data.list.length > 0 && <WarningList warnings={page.data.list} current={current} choose={triage.choose} selected={selected} select={triage.select} />}
          {page.data && page.data.total > page_size && <Pagination size="small" simple current={Number(search['page_index'] ?? 1)} pageSize={page_size} total={page.data.total} onChange={index => change({ page_index: String(index) })} />}
        </div>
        {current && <WarningDetail key={current.warning_id} warning={current} busy={triage.busy} act={triage.act} />}
      </div>
    </div>
  )
}

type BarProps = { asked: Asked; state: string; change: (patch: Record<string, string | undefined>) => void; selected: readonly string[]; total: number }

/** The states with their numbers, and what leaves the page. */
function Bar({ asked, state, change, selected, total }: BarProps): ReactNode {
  const states = useWarningSums(asked).data?.states
  const label = (name: string, key: '0' | '1' | '2') => `${name} ${states?.[key] ?? 0}`
  const wanted = selected.length > 0 ? { ids: [...selected] } : { filter: asked }
  return (
    <header className="ai-bar">
      <Segmented aria-label="状态" value={state} onChange={value => change({ state: value })} options={[{ value: '0', label: label('待处理', '0') }, { value: '1', label: label('已忽略', '1') }, { value: '2', label: label('违规', '2') }, { value: every, label: '全部' }]} />
      <small className="device-quiet">J 下一条　K 上一条　I 忽略　W 违规　U 撤销</small>
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

/** The warning that is looked at, those that are chosen together, and what is decided of them. */
function useTriage(asked: Asked, page_index: number, wanted: string | undefined) {
  const page = useWarnings(asked, page_index)
  const changed = useWarningsChanged()
  const may_decide = useCan(aiRecordApi.ignore)
  const [place, setPlace] = useState({ id: wanted, at: 0 })
  const [selected, select] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const list = page.data?.list ?? []
  const found = list.findIndex(warning => warning.warning_id === place.id)
  const at = found >= 0 ? found : Math.min(place.at, Math.max(0, list.length - 1))
  const current = list[at]
  const go = (index: number) => setPlace({ id: list[index]?.warning_id, at: index })
  const act = (what: Decision, note?: string) => {
    const chosen = selected.length > 0 ? list.filter(warning => selected.includes(warning.warning_id)) : current ? [current] : []
    const fitting = chosen.filter(warning => (what === 'undo' ? warning.can_undo : warning.state === '0'))
    if (busy || !may_decide || fitting.length === 0) return
    setBusy(true)
    void decide(what, fitting, note).then(async is_done => {
      // The next one moves up where decided ones leave the list.
      if (is_done && selected.length === 0) setPlace({ id: list[at + 1]?.warning_id, at })
      if (is_done) select([])
      await changed()
      setBusy(false)
    })
  }
  const walk = (by: 1 | -1) => go(Math.min(list.length - 1, Math.max(0, at + by)))
  return { page, current, selected, select, busy, act, walk, choose: (warning: AiWarning) => go(list.indexOf(warning)) }
}
