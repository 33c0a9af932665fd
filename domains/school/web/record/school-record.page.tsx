import { PageTabs, useMay, usePage } from '@kit/web'
import type { ComponentType, ReactNode } from 'react'
import { schoolPorts } from '../ports.ts'
import { ConfigTab } from './config-tab.tsx'
import { DictionaryTab } from './dictionary-tab.tsx'
import { NavTab } from '../nav-setting/nav-tab.tsx'
import { InfoTab } from './info-tab.tsx'
import { recordTabs } from './record-tabs.ts'
import { SchoolsTab } from './schools/schools-tab.tsx'

const own_parts: Readonly<Record<string, ComponentType>> = { info: InfoTab, config: ConfigTab, nav: NavTab, dictionary: DictionaryTab, schools: SchoolsTab }

/** 学校信息: what is said of the school, how the product works for it, and its own words. Each tab has its own permission. */
export default function SchoolRecord(): ReactNode {
  const { search, setSearch, title } = usePage()
  const may = useMay()
  const tabs = recordTabs().filter(({ call }) => may(call))
  const key = tabs.find(tab => tab.key === search.tab)?.key ?? tabs[0]?.key ?? 'info'
  const Part = own_parts[key] ?? schoolPorts().tabs.find(tab => tab.key === key)?.Tab
  return (
    <section className="record" aria-label={title}>
      <PageTabs tabs={tabs} value={key} onChange={tab => setSearch(tab === 'info' ? {} : { tab })} />
      {Part && <Part />}
    </section>
  )
}
