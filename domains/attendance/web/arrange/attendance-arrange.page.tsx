import { arrangeApi } from '@campus/attendance/contract'
import { Can, PageFrame, PageTabs, usePage } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Button, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ArrangeTab } from './arrange-tab.tsx'
import { useTerms } from './use-terms.ts'
import '../attendance.css'

const ArrangeDialog = lazyDialog(() => import('./arrange-dialog.tsx').then(part => part.ArrangeDialog))
const CopyDialog = lazyDialog(() => import('./copy-dialog.tsx').then(part => part.CopyDialog))
const PointTab = lazy(() => import('./point-tab.tsx').then(part => ({ default: part.PointTab })))
const ExemptTab = lazy(() => import('./exempt-tab.tsx').then(part => ({ default: part.ExemptTab })))
const PreviewTab = lazy(() => import('./preview-tab.tsx').then(part => ({ default: part.PreviewTab })))
const OutageTab = lazy(() => import('./outage-tab.tsx').then(part => ({ default: part.OutageTab })))

const tabs = [
  { key: 'course', label: '课程考勤' }, { key: 'clock', label: '班级打卡时段' }, { key: 'point', label: '考勤点位' }, { key: 'exempt', label: '免考勤' }, { key: 'outage', label: '设备中断' }, { key: 'preview', label: '某日预览' },
] as const
type Tab = (typeof tabs)[number]['key']

/** 考勤安排: where and when rules hold, which devices count, who is exempt, and what a day makes of it (chapter 55 §5). */
export default function AttendanceArrange(): ReactNode {
  const { search, setSearch } = usePage()
  const tab: Tab = tabs.find(one => one.key === search.tab)?.key ?? 'course'
  const show = (key: Tab) => setSearch({ ...search, tab: key })
  const terms = useTerms()
  const [semester_id, choose] = useState<number>()
  const term = terms.find(one => one.semester_id === semester_id) ?? terms.find(one => one.is_now) ?? terms[0]
  const is_list = tab === 'course' || tab === 'clock'
  const query = useCall(arrangeApi.list, { kind: tab === 'clock' ? 'clock' : 'course', ...(term ? { semester_id: term.semester_id } : {}) }, { enabled: is_list && term !== undefined, keep: true })
  const { open, close, dialog } = useDialog()
  const frame = { onClose: close, onDone: () => void query.refetch() }
  const add = () => term && open(<ArrangeDialog kind={tab === 'clock' ? 'clock' : 'course'} term={term} arrange={null} {...frame} />)
  const copy = () => open(<CopyDialog terms={terms} to={term?.semester_id} {...frame} />)
  return (
    <PageFrame
      actions={is_list && (
        <>
          <Select aria-label="学期" className="attend-term" value={term?.semester_id} onChange={choose} options={terms.map(one => ({ value: one.semester_id, label: one.name }))} placeholder="还没有学期" />
          <Can code={arrangeApi.copy}><Button disabled={terms.length < 2} onClick={copy}>学期复制</Button></Can>
          <Can code={arrangeApi.add}><Button type="primary" disabled={!term} onClick={add}>新增安排</Button></Can>
        </>
      )}
    >
      <div className="attend-page" data-ready={!is_list || query.data || terms.length === 0 ? 'arrange' : undefined}>
        <PageTabs tabs={tabs} value={tab} onChange={show} />
        {is_list && term && <ArrangeTab key={tab} kind={tab} term={term} query={query} open={open} {...frame} />}
        <Suspense>
          {tab === 'point' && <PointTab />}
          {tab === 'exempt' && <ExemptTab />}
          {tab === 'outage' && <OutageTab />}
          {tab === 'preview' && <PreviewTab />}
        </Suspense>
      </div>
      {dialog}
    </PageFrame>
  )
}
