import { appRoleApi } from '@campus/identity/contract'
import type { AppRoleRow } from '@campus/identity/contract'
import { holdsName } from '@kit/contract/checks'
import { Can, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { PlusOutlined } from '@ant-design/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Empty } from 'antd'
import Input from 'antd/es/input/Input'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { query: UseQueryResult<AppRoleRow[]>; chosen: string | undefined; add: () => void }

/** The roles of a kind by their group; the chosen one stands in the address. */
export function AppRoleNav({ query, chosen, add }: Props): ReactNode {
  const { search, setSearch } = usePage()
  const [word, setWord] = useState('')
  if (!query.data) return <PartState query={query} rows={8} />
  const text = word.trim()
  const found = query.data.filter(({ name, group_name }) => [name, group_name].some(part => holdsName(part, text)))
  const { role_id: _left, ...rest } = search
  return (
    <>
      <div className="role-side-head">
        <h2>角色 <small>{query.data.length}</small></h2>
        <Can code={appRoleApi.create}><Button type="text" size="small" icon={<PlusOutlined aria-hidden />} aria-label="新增角色" onClick={add} /></Can>
      </div>
      <Input allowClear maxLength={50} placeholder="查找角色" aria-label="查找角色" value={word} onChange={event => setWord(event.target.value)} />
      {found.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={query.data.length === 0 ? '还没有角色，点击上方加号新增' : `没有找到“${word}”`} />}
      {[...Map.groupBy(found, role => role.role_group_id)].map(([id, roles]) => (
        <section key={id} aria-label={roles[0]?.group_name}>
          <h3 className="role-nav-group">{roles[0]?.group_name}</h3>
          <ul className="role-groups">
            {roles.map(role => (
              <li key={role.role_id}>
                <button type="button" className="role-group" aria-current={role.role_id === chosen} title={role.name} onClick={() => setSearch({ ...rest, role_id: role.role_id })}>
                  <span>{role.name}{!role.enabled && <small>（已停用）</small>}</span>
                  <small>{rangeText(role)}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** Whom a role is bound to, in two or three signs: what needs a decision says so. */
function rangeText({ is_for_all, dept_count, group_count, user_count }: AppRoleRow): string {
  if (is_for_all) return '全部'
  const parts = [dept_count > 0 && `${dept_count}部门`, group_count > 0 && `${group_count}组`, user_count > 0 && `${user_count}人`].filter(Boolean)
  return parts.length === 0 ? '未绑定' : parts.slice(0, 2).join(' ')
}
