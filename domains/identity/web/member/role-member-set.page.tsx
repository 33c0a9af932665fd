import { accountApi, memberApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { Filters, ListPage, Table, useCan, usePage } from '@kit/web'
import { Empty } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useRoles } from '../use-roles.ts'
import { ChosenActions, HeadActions } from './head-actions.tsx'
import { MemberDialogs } from './member-dialogs.tsx'
import type { OpenedMembers } from './member-dialogs.tsx'
import { MemberActions } from './member-actions.tsx'
import { RoleNav } from './role-nav.tsx'
import { useMemberList, useMembersChanged } from './use-member-list.ts'
import type { MemberLine } from './use-member-list.ts'
import '../roles.css'
import './member.css'

/** 角色成员设置: the roles, and who holds the chosen one. */
export default function RoleMemberSet(): ReactNode {
  const { search } = usePage()
  const roles = useRoles()
  const role = roles.data?.find(one => one.role_id === search.role_id) ?? roles.data?.find(one => !one.is_fixed)
  if (role) return <Members key={role.role_id} role={role} side={<RoleNav query={roles} chosen={role.role_id} />} />
  return (
    <div className="kit-list-page" data-ready={roles.isError || roles.isSuccess ? 'failed' : undefined}>
      <aside className="kit-side role-side" aria-label="角色"><RoleNav query={roles} chosen={undefined} /></aside>
      <section className="kit-list kit-list-card" aria-label="成员">{roles.isSuccess && <Empty className="role-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有可设置成员的角色" />}</section>
    </div>
  )
}

function Members({ role, side }: { role: RoleRow; side: ReactNode }): ReactNode {
  const list = useMemberList(role.role_id)
  const [opened, open] = useState<OpenedMembers>(null)
  const may_edit = useCan(memberApi.add)
  const may_manage = useCan(accountApi.kick)
  const refresh = useMembersChanged()
  const has_ended = list.values.state === 'ended'
  const chosen = list.rows.filter(row => list.selected.includes(row.key))
  const close = () => open(null)
  return (
    <>
      <ListPage
        of={list}
        side={<div className="role-side">{side}</div>}
        head={<div className="member-head"><h2 title={role.name}>{role.name}</h2><small>{role.member_count}人持有，{role.online_count}人在线</small>{!role.enabled && <small className="kit-bad">该角色已停用，成员不能以此身份登录</small>}</div>}
        filters={<Filters of={list} show={['keyword', 'dept_id', 'state', 'online']} />}
        batch={<ChosenActions chosen={has_ended ? [] : chosen} open={open} />}
        actions={<HeadActions role={role} list={list} onChanged={refresh} open={open} />}
      >
        <Table
          of={list}
          show={['user_name', 'user_no', 'dept_name', 'term', 'source', 'account_state']}
          more={['user_dep', 'last_login_at', 'reason']}
          row={rowActions(role.is_own, refresh, open)}
          row_width={(may_edit ? 188 : 64) + (may_manage ? 44 : 0)}
          selectable={(may_edit || may_manage) && !has_ended}
          empty="还没有人持有该角色，可点击添加成员"
        />
      </ListPage>
      <MemberDialogs role={role} opened={opened} onClose={close} onDone={() => list.select([])} />
    </>
  )
}

function rowActions(is_own_role: boolean, onChanged: () => Promise<void>, open: (opened: OpenedMembers) => void): (row: MemberLine) => ReactNode {
  return row => <MemberActions row={row} is_own_role={is_own_role} onChanged={onChanged} open={open} />
}
