import { PageTabs, usePage, usePageKeys } from '@kit/web'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { CredentialTab } from './credential-tab.tsx'
import { FileTab } from './file-tab.tsx'
import { FamilyTab } from './family-tab.tsx'
import { GuardianPhones } from './guardian-phones.tsx'
import { Head } from './head.tsx'
import { PersonActs } from './person-acts.tsx'
import { useNeighbours } from './person-keys.ts'
import { TimelineTab } from './timeline-tab.tsx'
import { useHead, useReadAfterActs } from './use-person.ts'
import './person-page.css'

const tabs = [
  { key: 'timeline', label: '时间线' },
  { key: 'file', label: '档案' },
  { key: 'family', label: '家庭' },
  { key: 'change', label: '变更' },
  { key: 'credential', label: '凭证与设备' },
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
  useReadAfterActs()
  const tab: Tab = tabs.find(({ key }) => key === search['tab'])?.key ?? 'timeline'
  const choose = (key: Tab) => setSearch({ ...search, tab: key })
  const { before, after } = useNeighbours(id)
  const goTo = (user_id: string | undefined) => (user_id === undefined ? undefined : () => setSearch({ ...search, user_id }))
  usePageKeys({ ...Object.fromEntries(tabs.map(({ key }, at) => [String(at + 1), () => choose(key)])), ArrowLeft: goTo(before), ArrowRight: goTo(after) })
  if (failed !== null) return <LoadFailed text={failed} again={again} />
  if (!data) return <Skeleton active avatar />
  return (
    <div className="person-page">
      <Head person={data} />
      <GuardianPhones person={data} />
      <PersonActs person={data} again={again} />
      <PageTabs tabs={tabs} value={tab} onChange={choose} />
      {tab === 'timeline' && <TimelineTab id={id} />}
      {tab === 'change' && <TimelineTab id={id} only="people.change" />}
      {tab === 'file' && <FileTab person={data} />}
      {tab === 'credential' && <CredentialTab id={id} />}
      {tab === 'family' && <FamilyTab person={data} />}
    </div>
  )
}
