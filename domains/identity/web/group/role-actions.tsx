import { identityErrors, roleApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { call, Can, confirmDanger, toast } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { roleLock } from '../role-words.ts'
import { useRolesChanged } from '../use-roles.ts'
import type { OpenedRole } from './opened-role.ts'

type Props = { role: RoleRow; open: (opened: OpenedRole) => void }

/** What may be done with one role. An entry that is refused says why. */
export function RoleActions({ role, open }: Props): ReactNode {
  const act = useRoleActs(role)
  const lock = roleLock(role)
  const items = [
    { key: 'copy', label: '复制', refused: role.is_fixed ? lock : null, run: () => open({ view: 'copy', role }) },
    { key: 'diff', label: '对比', refused: null, run: () => open({ view: 'diff', role }) },
    { key: 'enable', label: role.enabled ? '停用' : '启用', refused: lock, run: () => void act.enable() },
    { key: 'remove', label: '删除', refused: lock ?? removeLock(role), run: () => void act.remove() },
  ]
  return (
    <Can code={roleApi.edit}>
      {!role.is_fixed && <Link className="kit-link role-link" to="/RoleOpeate" search={{ role_id: role.role_id }} aria-label={`权限配置 ${role.name}`}>权限配置</Link>}
      <Button type="link" disabled={lock !== null} title={lock ?? undefined} aria-label={`编辑 ${role.name}`} onClick={() => open({ view: 'edit', role })}>编辑</Button>
      <Dropdown
        trigger={['click']}
        menu={{
          items: items.map(({ key, label, refused }) => ({ key, disabled: refused !== null, danger: key === 'remove', label: <ItemText label={label} refused={refused} /> })),
          onClick: ({ key }) => items.find(item => item.key === key)?.run(),
        }}
      >
        <Button type="link" aria-label={`更多 ${role.name}`} aria-haspopup="menu">更多</Button>
      </Dropdown>
    </Can>
  )
}

function ItemText({ label, refused }: { label: string; refused: string | null }): ReactNode {
  return refused === null ? label : <span className="role-refused">{label}<small>{refused}</small></span>
}

function removeLock(role: RoleRow): string | null {
  if (role.is_system) return identityErrors.roleSystem.msg
  return role.member_count > 0 ? identityErrors.roleInUse.msg : null
}

function useRoleActs(role: RoleRow): { enable: () => Promise<void>; remove: () => Promise<void> } {
  const changed = useRolesChanged()
  const run = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      toast.success(done)
    } catch {
      // The refusal has been said.
    }
    await changed()
  }
  return {
    enable: async () => {
      const touches = `${role.member_count}人将失去“${role.name}”的身份，其中${role.online_count}人在线，会立即下线。成员关系保留，启用后恢复。`
      if (role.enabled && role.member_count > 0 && !(await confirmDanger({ title: `停用角色“${role.name}”？`, touches, ok: '停用' }))) return
      await run(() => call(roleApi.edit, { role_id: role.role_id, row_version: role.row_version, enabled: !role.enabled }), '设置成功')
    },
    remove: async () => {
      if (!(await confirmDanger({ title: `删除角色“${role.name}”？`, touches: '没有人持有该角色。删除后不能恢复，曾经的成员记录保留。', ok: '删除' }))) return
      await run(() => call(roleApi.remove, { role_id: role.role_id }), '删除成功!')
    },
  }
}
