import { roleApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { Can, downloadFile, ListToolbar, Table, usePage } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import Search from 'antd/es/input/Search'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useRoleGroups, useRoles } from '../use-roles.ts'
import { foundRoles, rolesOf } from './found-roles.ts'
import { GroupNav } from './group-nav.tsx'
import type { OpenedRole } from './opened-role.ts'
import { RoleActions } from './role-actions.tsx'
import { roleFields } from './role.fields.tsx'
import { useRoleList } from './use-role-list.ts'
import '../roles.css'

const RoleDialog = lazy(() => import('./role-dialog.tsx').then(part => ({ default: part.RoleDialog })))
const CopyDialog = lazy(() => import('./copy-dialog.tsx').then(part => ({ default: part.CopyDialog })))
const DiffDrawer = lazy(() => import('./diff-drawer.tsx').then(part => ({ default: part.DiffDrawer })))

/** 角色组设置: the groups with their counts, and the roles of the chosen one. One search finds both. */
export default function RoleGroupSet(): ReactNode {
  const { search, setSearch } = usePage()
  const roles = useRoles()
  const groups = useRoleGroups()
  const [opened, open] = useState<OpenedRole>(null)
  const found = foundRoles(groups.data ?? [], roles.data ?? [], search.keyword ?? '')
  const chosen = found.groups.find(({ group }) => group.role_group_id === search.group)
  const list = useRoleList({ query: roles, rows: rolesOf(found, chosen?.group.role_group_id), fields: roleFields })
  const close = () => open(null)
  return (
    <div className="kit-list-page" data-ready={list.first ? (list.error ? 'failed' : undefined) : 'list'}>
      <aside className="kit-side role-side" aria-label="角色组">
        <GroupNav query={groups} found={found} is_counted={roles.isSuccess} chosen={chosen?.group.role_group_id} />
      </aside>
      <section className="kit-list kit-list-card" aria-label={chosen?.group.name ?? '全部角色'}>
        <ListToolbar
          summary={
            <div className="kit-summary" aria-live="polite">
              <b className="role-title" title={chosen?.group.name}>{chosen?.group.name ?? '全部角色'}</b>
              <span>共 <b className="kit-number">{list.first ? '…' : list.total}</b> 个角色</span>
            </div>
          }
          actions={
            <>
              <KeywordSearch key={search.keyword ?? ''} value={search.keyword ?? ''} onSearch={keyword => list.filterBy({ keyword })} />
              <ExportButton code={roleApi.exportMatrix} label="导出权限矩阵" title="导出权限矩阵" run={() => downloadFile(roleApi.exportMatrix, {}, { quiet: true })} />
              <Can code={roleApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ view: 'add' })}>新增角色</Button></Can>
            </>
          }
        />
        <p className="role-hint">系统角色可改名称、网页登录与权限，代码和角色组固定，不能删除；自己当前的角色由其他管理员修改。</p>
        <Table
          of={list}
          show={['name', 'code', 'member_count', 'web', 'dept_is_exact', 'scope', 'enabled']}
          more={['online_count', 'permission_count', 'group_name']}
          row={rowActions(open)}
          row_width={168}
          empty="该角色组还没有角色，可点击新增角色，或复制一个相近的角色"
        />
      </section>
      <Suspense>
        {opened?.view === 'add' && <RoleDialog group_id={chosen?.group.role_group_id} groups={groups.data ?? []} onClose={close} />}
        {opened?.view === 'edit' && <RoleDialog role={opened.role} groups={groups.data ?? []} onClose={close} />}
        {opened?.view === 'copy' && <CopyDialog role={opened.role} onClose={close} onCopied={role_group_id => setSearch({ group: role_group_id })} />}
        {opened?.view === 'diff' && <DiffDrawer role={opened.role} roles={roles.data ?? []} onClose={close} />}
      </Suspense>
    </div>
  )
}

function rowActions(open: (opened: OpenedRole) => void): (role: RoleRow) => ReactNode {
  return role => <RoleActions role={role} open={open} />
}

function KeywordSearch({ value, onSearch }: { value: string; onSearch: (keyword: string) => void }): ReactNode {
  return <Search className="role-search" allowClear defaultValue={value} maxLength={50} placeholder="角色组/角色名称/代码" aria-label="查找角色组和角色" onSearch={text => onSearch(text.trim())} />
}
