import { moduleApi, navSettingApi } from '@campus/school/contract'
import { usePage } from '@kit/web'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { ModuleTable } from '../module/module-table.tsx'
import { useLoaded } from '../record/use-loaded.tsx'
import { NavEditor } from './nav-editor.tsx'

const views = [{ value: 'menu', label: '菜单' }, { value: 'modules', label: '功能与应用' }] as const

/** 导航与应用: what stands in the menu and how, and which parts of the product the school may use until when. */
export function NavTab(): ReactNode {
  const { search, setSearch } = usePage()
  const view = search.view === 'modules' ? 'modules' : 'menu'
  return (
    <>
      <Segmented className="nav-switch" options={[...views]} value={view} onChange={next => setSearch(next === 'menu' ? { tab: 'nav' } : { tab: 'nav', view: next })} />
      {view === 'menu' ? <MenuPart /> : <ModulePart />}
    </>
  )
}

function MenuPart(): ReactNode {
  const { data, instead, ready, refresh } = useLoaded(navSettingApi.read, {})
  if (!data) return <div className="record-card" data-ready={ready}>{instead}</div>
  return <div data-ready={ready}><NavEditor tree={data} refresh={refresh} /></div>
}

function ModulePart(): ReactNode {
  const { data, instead, ready, refresh } = useLoaded(moduleApi.list, {})
  if (!data) return <div className="record-card" data-ready={ready}>{instead}</div>
  return <div data-ready={ready}><ModuleTable modules={data} refresh={refresh} /></div>
}
