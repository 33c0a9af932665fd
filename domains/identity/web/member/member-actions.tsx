import { explainApi, identityErrors, memberApi } from '@campus/identity/contract'
import { Can, readStored } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { AccountMenu } from './account-menu.tsx'
import type { OpenedMembers } from './member-dialogs.tsx'
import type { MemberLine } from './use-member-list.ts'

type Props = { row: MemberLine; is_own_role: boolean; onChanged: () => Promise<void>; open: (opened: OpenedMembers) => void }

/** What may be done with one member; nobody ends the identity under which he works now. */
export function MemberActions({ row, is_own_role, onChanged, open }: Props): ReactNode {
  const has_ended = row.member?.state === 'ended'
  const is_own = is_own_role && row.user_id === readStored('user_id')
  const refused = { disabled: is_own, title: is_own ? identityErrors.ownRole.msg : undefined }
  return (
    <>
      <Can code={explainApi.explain}><Button type="link" aria-label={`权限诊断 ${row.user_name}`} onClick={() => open({ view: 'explain', row })}>诊断</Button></Can>
      {!has_ended && (
        <Can code={memberApi.update}>
          {row.member?.acted_for === null && <Button type="link" aria-label={`委托代办 ${row.user_name}`} onClick={() => open({ view: 'substitute', row })}>代办</Button>}
          <Button type="link" {...refused} aria-label={`延长 ${row.user_name}`} onClick={() => open({ view: 'extend', rows: [row] })}>延长</Button>
          <Button type="link" danger {...refused} aria-label={`移除 ${row.user_name}`} onClick={() => open({ view: 'remove', rows: [row] })}>移除</Button>
        </Can>
      )}
      <AccountMenu row={row} onChanged={onChanged} />
    </>
  )
}
