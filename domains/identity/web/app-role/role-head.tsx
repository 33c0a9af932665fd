import { appRoleApi, identityErrors } from '@campus/identity/contract'
import type { AppRoleView } from '@campus/identity/contract'
import { call, Can, confirmDanger, toast, usePage } from '@kit/web'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { useAppRolesChanged } from './use-app-roles.ts'

/** Name, state and acts of the chosen role. An act that is refused says why. */
export function AppRoleHead({ role, edit }: { role: AppRoleView; edit: () => void }): ReactNode {
  const act = useActs(role)
  const is_bound = role.is_for_all || role.dept_count + role.group_count + role.user_count > 0
  const kept = role.is_system ? identityErrors.roleSystem.msg : is_bound ? `${identityErrors.roleInUse.msg}，请先在“人员”中清空范围` : null
  return (
    <div className="member-head app-role-head">
      <h2 title={role.name}>{role.name}</h2>
      <small>{role.group_name}</small>
      {role.is_system && <Tag>系统</Tag>}
      {!role.enabled && <Tag color="red">已停用</Tag>}
      <Can code={appRoleApi.update}>
        <span className="app-role-head-acts">
          <Button size="small" onClick={edit}>编辑</Button>
          <Button size="small" onClick={() => void act.enable()}>{role.enabled ? '停用' : '启用'}</Button>
          <Button size="small" danger disabled={kept !== null} title={kept ?? undefined} onClick={() => void act.remove()}>删除</Button>
        </span>
      </Can>
    </div>
  )
}

function useActs({ role_id, row_version, name, enabled }: AppRoleView): { enable: () => Promise<void>; remove: () => Promise<void> } {
  const changed = useAppRolesChanged()
  const { search, setSearch } = usePage()
  const run = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      toast.success(done)
      return true
    } catch {
      // The refusal has been said.
      return false
    } finally {
      await changed()
    }
  }
  return {
    enable: async () => {
      const reached = enabled ? (await call(appRoleApi.reach, { role_id, page_index: 1, page_size: 20 }, { quiet: true }).catch(() => null))?.reached : 0
      const touches = reached === undefined ? '该角色覆盖的人员将看不到它的模块。' : `${reached.toLocaleString('zh-CN')}人将看不到该角色的模块，已绑定的范围保留，启用后恢复。`
      if (enabled && !(await confirmDanger({ title: `停用角色“${name}”？`, touches, ok: '停用' }))) return
      await run(() => call(appRoleApi.update, { id: role_id, row_version, enabled: !enabled }), '设置成功')
    },
    remove: async () => {
      if (!(await confirmDanger({ title: `删除角色“${name}”？`, touches: '没有人使用该角色，删除后不能恢复。', ok: '删除' }))) return
      const { role_id: _gone, ...rest } = search
      if (await run(() => call(appRoleApi.remove, { id: role_id }), '删除成功!')) setSearch(rest)
    },
  }
}
