import { appRoleGroupApi } from '@campus/identity/contract'
import type { AppRoleGroupRow } from '@campus/identity/contract'
import { Can, ListToolbar, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Empty } from 'antd'
import Search from 'antd/es/input/Search'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useKind } from './app-kind.ts'
import { AppGroupTable } from './group-table.tsx'
import { useAppGroups } from './use-app-roles.ts'
import '../roles.css'
import './app-role.css'

const AppGroupDialog = lazy(() => import('./group-dialog.tsx').then(part => ({ default: part.AppGroupDialog })))

/** 教职工角色组, 家长角色组, 学生角色组: groups of the roles of a phone client. */
export default function AppRoleGroup(): ReactNode {
  const { title, search, setSearch } = usePage()
  const { kind, who } = useKind()
  const query = useAppGroups(kind)
  const [opened, open] = useState<AppRoleGroupRow | 'new' | null>(null)
  const all = query.data?.list ?? []
  const word = search.keyword ?? ''
  const groups = all.filter(group => [group.name, ...group.roles.map(role => role.name)].some(name => name.includes(word)))
  return (
    <div className="kit-list-page" data-ready={query.isSuccess ? 'list' : query.isError ? 'failed' : undefined}>
      <section className="kit-list kit-list-card" aria-label={title}>
        <ListToolbar
          summary={<div className="kit-summary" aria-live="polite"><span>共 <b className="kit-number">{query.isSuccess ? groups.length : '…'}</b> 个角色组，<b className="kit-number">{query.isSuccess ? groups.reduce((sum, group) => sum + group.roles.length, 0) : '…'}</b> 个角色</span></div>}
          actions={
            <>
              <Search key={word} className="role-search" allowClear defaultValue={word} maxLength={50} placeholder="角色组/角色名称" aria-label="查找角色组和角色" onSearch={text => setSearch(text.trim() === '' ? {} : { keyword: text.trim() })} />
              <Can code={appRoleGroupApi.create}><Button type="primary" icon={<PlusOutlined aria-hidden />} disabled={!query.isSuccess} onClick={() => open('new')}>新增角色组</Button></Can>
            </>
          }
        />
        <p className="role-hint">{who}在手机上看到的模块由所属的移动端角色决定；角色组用来归类，并给新角色一套默认模块。{word === '' ? '拖动或用箭头调整顺序。' : '查找时不能调整顺序。'}</p>
        {!query.data && <PartState query={query} rows={8} />}
        {query.data && groups.length > 0 && <div className="app-role-groups-scroll"><AppGroupTable groups={groups} is_whole={word === ''} edit={open} /></div>}
        {query.data && groups.length === 0 && <Empty className="role-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description={word === '' ? '还没有角色组，可点击新增角色组' : `没有找到“${word}”`} />}
      </section>
      <Suspense>{opened && query.data && <AppGroupDialog group={opened === 'new' ? null : opened} offered={query.data.offered} onClose={() => open(null)} />}</Suspense>
    </div>
  )
}
