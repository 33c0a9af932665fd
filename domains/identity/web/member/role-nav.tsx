import type { RoleRow } from '@campus/identity/contract'
import { roleApi } from '@campus/identity/contract'
import { holdsName } from '@kit/contract/checks'
import { useCan, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import type { UseQueryResult } from '@tanstack/react-query'
import { Empty } from 'antd'
import Input from 'antd/es/input/Input'
import { useState } from 'react'
import type { ReactNode } from 'react'

/** Every role by its group, with how many hold it; the chosen one stands in the address. */
export function RoleNav({ query, chosen }: { query: UseQueryResult<RoleRow[]>; chosen: string | undefined }): ReactNode {
  const { setSearch } = usePage()
  const [word, setWord] = useState('')
  const allowed = useCan(roleApi.list)
  if (!allowed) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有查看角色的权限，请联系管理人员" />
  if (!query.data) return <PartState query={query} rows={8} />
  const text = word.trim()
  const found = query.data.filter(({ name, code, group_name }) => [name, code, group_name].some(part => holdsName(part, text)))
  const groups = Map.groupBy(found, role => role.role_group_id)
  return (
    <>
      <Input allowClear maxLength={50} placeholder="查找角色" aria-label="查找角色" value={word} onChange={event => setWord(event.target.value)} />
      {found.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={query.data.length === 0 ? '还没有角色' : `没有找到“${word}”`} />}
      {[...groups].map(([id, roles]) => (
        <section key={id} aria-label={roles[0]?.group_name}>
          <h3 className="role-nav-group">{roles[0]?.group_name}</h3>
          <ul className="role-groups">
            {roles.map(({ role_id, name, member_count, enabled }) => (
              <li key={role_id}>
                <button type="button" className="role-group" ref={role_id === chosen ? intoView : undefined} aria-current={role_id === chosen} title={name} onClick={() => setSearch({ role_id })}>
                  <span>{name}{!enabled && <small>（已停用）</small>}</span>
                  <small>{member_count}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** A role that came with the address may stand far down the list. */
function intoView(button: HTMLButtonElement | null): void {
  button?.scrollIntoView({ block: 'nearest' })
}
