import { PageTabs, usePage } from '@kit/web'
import { Skeleton } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { FileTab } from './file-tab.tsx'
import { FamilyTab } from './family-tab.tsx'
import { Head } from './head.tsx'
import { TimelineTab } from './timeline-tab.tsx'
import { useHead } from './use-person.ts'
import './person-page.css'

const tabs = [
  { key: 'timeline', label: '时间线' },
  { key: 'file', label: '档案' },
  { key: 'family', label: '家庭' },
  { key: 'change', label: '变更' },
] as const
type Tab = (typeof tabs)[number]['key']

/** 人员详情: one page for whatever the school knows of a person. */
export default function PersonDetail(): ReactNode {
  const { user_id } = usePage().search
  if (user_id === undefined || !/^\d{1,19}$/.test(user_id)) return <p className="person-none" data-ready="person-none">没有选择人员：请从名单中点姓名进入，或按 Ctrl+K 查找。</p>
  return <Person key={user_id} id={user_id} />
}

function Person({ id }: { id: string }): ReactNode {
  const { search, setSearch } = usePage()
  const { data, failed, again } = useHead(id)
  const tab: Tab = tabs.find(({ key }) => key === search['tab'])?.key ?? 'timeline'
  const choose = (key: Tab) => setSearch({ ...search, tab: key })
  useTabKeys(choose)
  if (failed !== null) return <LoadFailed text={failed} again={again} />
  if (!data) return <Skeleton active avatar />
  return (
    <div className="person-page">
      <Head person={data} />
      <PageTabs tabs={tabs} value={tab} onChange={choose} />
      {tab === 'timeline' && <TimelineTab id={id} />}
      {tab === 'change' && <TimelineTab id={id} only="people.change" />}
      {tab === 'file' && <FileTab person={data} />}
      {tab === 'family' && <FamilyTab person={data} />}
    </div>
  )
}

/** 1 to 4 choose a tab, unless something is being typed. */
function useTabKeys(choose: (tab: Tab) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const is_typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
      const tab = tabs[Number(event.key) - 1]
      if (!tab || is_typing || event.ctrlKey || event.altKey || event.metaKey) return
      choose(tab.key)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}
