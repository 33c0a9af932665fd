import { RoleRow } from '@campus/identity/contract'
import { fields, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { roleLock, scopeText } from '../role-words.ts'
import { WebSwitch } from './web-switch.tsx'

type RoleField = 'keyword' | 'name' | 'code' | 'member_count' | 'online_count' | 'permission_count' | 'web' | 'dept_is_exact' | 'scope' | 'enabled' | 'group_name'

const system_text = '系统角色：代码和角色组固定，不能删除'

/** Fields of a role. */
export const roleFields: Fields<RoleRow, RoleField> = fields(RoleRow, 'role_id', {
  keyword: { label: '查找', filter: textFilter('keyword') },
  name: { label: '名称', width: 170, default_action: true, cell: role => <NameCell role={role} /> },
  code: { label: '代码', width: 118, cell: ({ code }) => <span title={code}>{code}</span> },
  member_count: { label: '成员数', width: 60, kind: 'number' },
  online_count: { label: '在线', width: 64, kind: 'number' },
  permission_count: { label: '权限数', width: 64, kind: 'number' },
  web: { label: '网页登录', width: 78, cell: role => <WebSwitch role={role} /> },
  dept_is_exact: { label: '完整部门路径', width: 104, cell: role => (role.dept_is_exact ? '是' : '否') },
  scope: { label: '数据范围', width: 148, cell: role => <ScopeCell role={role} /> },
  enabled: { label: '状态', width: 60, cell: role => (role.enabled ? <Tag color="green">启用</Tag> : <Tag>停用</Tag>) },
  group_name: { label: '角色组', width: 120 },
})

function NameCell({ role }: { role: RoleRow }): ReactNode {
  const lock = roleLock(role)
  return (
    <span className="role-name">
      <span title={role.name}>{role.name}</span>
      {role.is_system && <Tooltip title={system_text}><Tag aria-label={system_text}>系统</Tag></Tooltip>}
      {role.is_own && <Tooltip title={lock}><Tag color="blue">当前</Tag></Tooltip>}
    </span>
  )
}

function ScopeCell({ role }: { role: RoleRow }): ReactNode {
  if (role.is_fixed) return '全部'
  const dept = scopeText('dept', role.scopes.dept)
  const place = scopeText('place', role.scopes.place)
  return <span title={`部门：${dept}\n场所：${place}`}>{dept === place ? dept : `${dept} · ${place}`}</span>
}
