import { PageTabs, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { AppRoleView } from '@campus/identity/contract'
import { useKind } from './app-kind.ts'
import { AppRoleHead } from './role-head.tsx'
import { AppRoleNav } from './role-nav.tsx'
import { useAppRole, useAppRoles } from './use-app-roles.ts'
import '../roles.css'
import '../matrix/matrix.css'
import '../member/member.css'
import './app-role.css'

const ModuleTab = lazy(() => import('./module-tab.tsx').then(part => ({ default: part.ModuleTab })))
const PeopleTab = lazy(() => import('./people-tab.tsx').then(part => ({ default: part.PeopleTab })))
const PermissionTab = lazy(() => import('./permission-tab.tsx').then(part => ({ default: part.PermissionTab })))
const AppRoleDialog = lazy(() => import('./role-dialog.tsx').then(part => ({ default: part.AppRoleDialog })))

const tabs = [{ key: 'module', label: '模块' }, { key: 'people', label: '人员' }, { key: 'permission', label: '操作权限' }] as const
type TabKey = (typeof tabs)[number]['key']

/** 教职工角色, 家长角色, 学生角色: what the phones of these people show, who they are, and what they may do there. */
export default function AppRole(): ReactNode {
  const { title, search, setSearch } = usePage()
  const { kind } = useKind()
  const roles = useAppRoles(kind)
  const chosen = roles.data?.find(role => role.role_id === search.role_id) ?? roles.data?.[0]
  const role = useAppRole(chosen?.role_id)
  const [opened, open] = useState<'add' | 'edit' | null>(null)
  const failed = roles.isError || role.isError
  const ready = failed ? 'failed' : role.isSuccess || roles.data?.length === 0 ? 'app-role' : undefined
  return (
    <div className="kit-list-page" data-ready={ready}>
      <aside className="kit-side app-role-side" aria-label="角色"><div className="role-side"><AppRoleNav query={roles} chosen={chosen?.role_id} add={() => open('add')} /></div></aside>
      <section className="kit-list app-role-main" aria-label={chosen?.name ?? title}>
        {role.data && <RoleTabs key={role.data.role_id} role={role.data} edit={() => open('edit')} />}
        {!role.data && chosen && <div className="matrix-card"><PartState query={role} rows={10} /></div>}
        {roles.data?.length === 0 && <Empty className="role-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有角色，点击左侧加号新增" />}
      </section>
      <Suspense>
        {opened && <AppRoleDialog role={opened === 'edit' ? chosen : undefined} onClose={() => open(null)} onSaved={role_id => setSearch({ ...search, role_id })} />}
      </Suspense>
    </div>
  )
}

function RoleTabs({ role, edit }: { role: AppRoleView; edit: () => void }): ReactNode {
  const { search, setSearch } = usePage()
  const tab: TabKey = tabs.find(({ key }) => key === search.tab)?.key ?? 'module'
  return (
    <>
      <AppRoleHead role={role} edit={edit} />
      <PageTabs tabs={tabs} value={tab} onChange={key => setSearch({ ...search, role_id: role.role_id, tab: key })} />
      <Suspense fallback={<div className="matrix-card" />}>
        {tab === 'module' && <ModuleTab role={role} />}
        {tab === 'people' && <PeopleTab role={role} />}
        {tab === 'permission' && <PermissionTab role_id={role.role_id} />}
      </Suspense>
    </>
  )
}
