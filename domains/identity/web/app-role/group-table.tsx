import { appModuleName, appRoleGroupApi, identityErrors } from '@campus/identity/contract'
import type { AppRoleGroupRow } from '@campus/identity/contract'
import { call, Can, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import type { Act } from '@kit/web/act'
import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useKind } from './app-kind.ts'
import { ModuleIcon } from './module-icon.tsx'
import { useAppRolesChanged } from './use-app-roles.ts'

const shown_modules = 8
type Props = { groups: readonly AppRoleGroupRow[]; /** all are shown, so that their order can be changed */ is_whole: boolean; edit: (group: AppRoleGroupRow) => void }

/** Groups with their roles and the modules new roles begin with, in an order that is dragged or moved by buttons. */
export function AppGroupTable({ groups, is_whole, edit }: Props): ReactNode {
  const { act, busy } = useAct([], useAppRolesChanged())
  const { kind } = useKind()
  const movable = useCan(appRoleGroupApi.sort) && is_whole && !busy
  const [dragged, drag] = useState<number | null>(null)
  const ids = groups.map(group => group.role_group_id)
  const move = (from: number, to: number) => {
    const one = ids[from]
    if (one === undefined || from === to) return
    const rest = ids.filter((_, at) => at !== from)
    const role_group_ids = [...rest.slice(0, to), one, ...rest.slice(to)]
    void act(() => call(appRoleGroupApi.sort, { client_kind: kind, role_group_ids }, { quiet: true }), { done: '设置成功' })
  }
  return (
    <table className="app-role-groups" aria-busy={busy}>
      <thead><tr><th scope="col" className="app-role-col-order">顺序</th><th scope="col" className="app-role-col-name">角色组</th><th scope="col">角色</th><th scope="col">默认模块</th><th scope="col" className="app-role-col-acts">操作</th></tr></thead>
      <tbody>
        {groups.map((group, at) => (
          <tr
            key={group.role_group_id} draggable={movable} data-dragged={dragged === at || undefined}
            onDragStart={() => drag(at)} onDragEnd={() => drag(null)} onDragOver={event => event.preventDefault()}
            onDrop={() => dragged !== null && movable && move(dragged, at)}
          >
            <td className="app-role-col-order">
              {movable && <HolderOutlined aria-hidden className="app-role-grip" />}<span className="kit-number">{at + 1}</span>
              {movable && (
                <>
                  <Button type="text" size="small" disabled={at === 0} icon={<ArrowUpOutlined aria-hidden />} aria-label={`上移 ${group.name}`} onClick={() => move(at, at - 1)} />
                  <Button type="text" size="small" disabled={at === groups.length - 1} icon={<ArrowDownOutlined aria-hidden />} aria-label={`下移 ${group.name}`} onClick={() => move(at, at + 1)} />
                </>
              )}
            </td>
            <th scope="row" className="app-role-col-name">{group.name}{group.is_system && <Tag>系统</Tag>}</th>
            <td><Roles group={group} /></td>
            <td><Modules group={group} /></td>
            <td className="app-role-col-acts"><Acts group={group} act={act} edit={() => edit(group)} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Roles({ group: { roles } }: { group: AppRoleGroupRow }): ReactNode {
  const { role_path } = useKind()
  if (roles.length === 0) return <span className="role-small">还没有角色</span>
  return roles.map(({ role_id, name, enabled }) => <Link key={role_id} className="kit-link" to={role_path} search={{ role_id }}>{name}{!enabled && '（已停用）'}</Link>)
}

function Modules({ group: { modules } }: { group: AppRoleGroupRow }): ReactNode {
  if (modules.length === 0) return <span className="role-small">没有默认模块</span>
  return (
    <span className="app-role-icons" role="img" aria-label={`${modules.length}个：${modules.map(appModuleName).join('、')}`}>
      {modules.slice(0, shown_modules).map(code => <ModuleIcon key={code} code={code} />)}
      {modules.length > shown_modules && <small>等{modules.length}个</small>}
    </span>
  )
}

function Acts({ group, act, edit }: Pick<Act, 'act'> & { group: AppRoleGroupRow; edit: () => void }): ReactNode {
  const kept = group.is_system ? identityErrors.groupFixed.msg : group.roles.length > 0 ? identityErrors.groupInUse.msg : null
  const remove = () => act(() => call(appRoleGroupApi.remove, { id: group.role_group_id }, { quiet: true }), {
    ask: { title: `删除角色组“${group.name}”？`, touches: '该角色组没有角色，删除后不能恢复。', ok: '删除' },
    done: '删除成功!',
  })
  return (
    <Can code={appRoleGroupApi.update}>
      <Button type="link" size="small" aria-label={`编辑 ${group.name}`} onClick={edit}>编辑</Button>
      <Button type="link" size="small" danger disabled={kept !== null} title={kept ?? undefined} aria-label={`删除 ${group.name}`} onClick={() => void remove()}>删除</Button>
    </Can>
  )
}
