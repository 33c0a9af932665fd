import { roleApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { call, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Switch, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { roleLock } from '../role-words.ts'
import { useRolesChanged } from '../use-roles.ts'

/** What the product itself says to whoever may not sign in on the web. */
export const blocked_text = '您无法在当前客户端登陆，请联系管理人员。'

/** 网页登录 of a role with what its members read when it is off. */
export function WebSwitch({ role }: { role: RoleRow }): ReactNode {
  const may_edit = useCan(roleApi.edit)
  const { busy, act } = useAct([], useRolesChanged())
  const lock = may_edit ? roleLock(role) : '没有修改角色的权限'
  const on = role.allow_login_web === 0
  const turn = () => {
    const touches = `${role.member_count}人将不能再以“${role.name}”登录网页端，登录时会看到：${role.allow_login_web_text ?? blocked_text}`
    return act(() => call(roleApi.edit, { role_id: role.role_id, row_version: role.row_version, allow_login_web: on ? 1 : 0 }, { quiet: true }), {
      ask: on && role.member_count > 0 && { title: '关闭网页登录？', touches, ok: '关闭' },
      done: '设置成功',
    })
  }
  const text = on ? '允许' : (role.allow_login_web_text ?? blocked_text)
  return (
    <span className="role-web">
      <Tooltip title={lock}>
        <Switch size="small" checked={on} disabled={lock !== null} loading={busy} aria-label={`${role.name}网页登录${lock === null ? '' : `（${lock}）`}`} onChange={() => void turn()} />
      </Tooltip>
      <small title={text}>{text}</small>
    </span>
  )
}
