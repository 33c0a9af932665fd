import { identityErrors, roleGroupApi } from '@campus/identity/contract'
import { call, Can, confirmDanger, toast, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import type { UseQueryResult } from '@tanstack/react-query'
import { MoreOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown, Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useRolesChanged } from '../use-roles.ts'
import type { RoleGroup } from '../use-roles.ts'
import type { FoundRoles } from './found-roles.ts'

const GroupDialog = lazy(() => import('./group-dialog.tsx').then(part => ({ default: part.GroupDialog })))

type Props = { query: UseQueryResult<RoleGroup[]>; found: FoundRoles; /** the roles themselves are there */ is_counted: boolean; chosen: string | undefined }

/** The groups with how many of their roles are shown; chosen ones stand in the address. */
export function GroupNav({ query, found, is_counted, chosen }: Props): ReactNode {
  const { search, setSearch } = usePage()
  const [named, setNamed] = useState<RoleGroup | 'new' | null>(null)
  const choose = (group: string | undefined) => {
    const { group: _, ...rest } = search
    setSearch(group === undefined ? rest : { ...rest, group })
  }
  if (!query.data) return <PartState query={query} />
  const countOf = ({ group, roles }: FoundRoles['groups'][number]) => (is_counted ? roles.length : group.role_count)
  const total = found.groups.reduce((sum, one) => sum + countOf(one), 0)
  return (
    <>
      <div className="role-side-head">
        <h2>角色组</h2>
        <Can code={roleGroupApi.add}><Button type="text" size="small" icon={<PlusOutlined aria-hidden />} aria-label="新增角色组" onClick={() => setNamed('new')} /></Can>
      </div>
      <ul className="role-groups">
        <li><GroupButton name="全部角色" count={total} current={chosen === undefined} choose={() => choose(undefined)} /></li>
        {found.groups.map(one => [one.group, countOf(one)] as const).map(([group, count]) => (
          <li key={group.role_group_id}>
            <GroupButton name={group.name} count={count} current={group.role_group_id === chosen} choose={() => choose(group.role_group_id)} />
            <Can code={roleGroupApi.edit}><GroupMenu group={group} all={query.data} rename={() => setNamed(group)} /></Can>
          </li>
        ))}
      </ul>
      {found.groups.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有找到“${search.keyword ?? ''}”`} />}
      <Suspense>{named && <GroupDialog group={named === 'new' ? null : named} onClose={() => setNamed(null)} />}</Suspense>
    </>
  )
}

function GroupButton({ name, count, current, choose }: { name: string; count: number; current: boolean; choose: () => void }): ReactNode {
  return (
    <button type="button" className="role-group" aria-current={current} title={name} onClick={choose}>
      <span>{name}</span>
      <small>{count}</small>
    </button>
  )
}

type MenuProps = { group: RoleGroup; all: readonly RoleGroup[]; rename: () => void }

function GroupMenu({ group, all, rename }: MenuProps): ReactNode {
  const changed = useRolesChanged()
  const at = all.findIndex(one => one.role_group_id === group.role_group_id)
  const run = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      toast.success(done)
    } catch {
      // The refusal has been said.
    }
    await changed()
  }
  const move = (steps: number) => run(() => call(roleGroupApi.sort, { role_group_ids: moved(all.map(one => one.role_group_id), at, at + steps) }), '设置成功')
  const remove = async () => {
    if (!(await confirmDanger({ title: `删除角色组“${group.name}”？`, touches: '该角色组没有角色，删除后不能恢复。', ok: '删除' }))) return
    await run(() => call(roleGroupApi.remove, { role_group_id: group.role_group_id }), '删除成功!')
  }
  const refused = group.is_system ? identityErrors.groupFixed.msg : group.role_count > 0 ? identityErrors.groupInUse.msg : null
  const acts: Readonly<Record<string, () => void>> = { rename, up: () => void move(-1), down: () => void move(1), remove: () => void remove() }
  const items = [
    { key: 'rename', label: '重命名' },
    { key: 'up', label: '上移', disabled: at === 0 },
    { key: 'down', label: '下移', disabled: at === all.length - 1 },
    { key: 'remove', danger: true, disabled: refused !== null, label: refused === null ? '删除' : <span className="role-refused">删除<small>{refused}</small></span> },
  ]
  return (
    <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => acts[key]?.() }}>
      <Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={`管理角色组 ${group.name}`} aria-haspopup="menu" />
    </Dropdown>
  )
}

function moved(ids: readonly string[], from: number, to: number): string[] {
  const one = ids[from]
  const rest = ids.filter((_, at) => at !== from)
  return one === undefined ? [...ids] : [...rest.slice(0, to), one, ...rest.slice(to)]
}
