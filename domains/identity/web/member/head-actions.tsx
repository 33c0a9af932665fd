import { accountApi, memberApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { Can, downloadFile, ImportButton, useCan } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { HistoryOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { OpenedMembers } from './member-dialogs.tsx'
import type { MemberLine, useMemberList } from './use-member-list.ts'

const reason_above = 1000
type Props = { role: RoleRow; list: ReturnType<typeof useMemberList>; onChanged: () => Promise<void>; open: (opened: OpenedMembers) => void }

/** What may be done with the chosen members of a role. */
export function ChosenActions({ chosen, open }: Pick<Props, 'open'> & { chosen: readonly MemberLine[] }): ReactNode {
  const may_edit = useCan(memberApi.add)
  const may_manage = useCan(accountApi.setSysPwd)
  if (chosen.length === 0) return null
  return (
    <>
      {may_edit && (
        <>
          <Button onClick={() => open({ view: 'extend', rows: [...chosen] })}>延长</Button>
          <Button danger onClick={() => open({ view: 'remove', rows: [...chosen] })}>移除</Button>
        </>
      )}
      {may_manage && <Button onClick={() => open({ view: 'slips', rows: [...chosen] })}>密码条</Button>}
    </>
  )
}

/** What may be done with the whole list of members. */
export function HeadActions({ role, list, onChanged, open }: Props): ReactNode {
  const download = (reason: string) => downloadFile(memberApi.export, { role_id: role.role_id, ...filters(list.values), reason }, { quiet: true })
  return (
    <>
      <Button icon={<HistoryOutlined aria-hidden />} onClick={() => open({ view: 'history' })}>历史</Button>
      <ExportButton code={memberApi.export} title={`导出成员：${role.name}`} total={list.total} unit="人" kept="24 小时" reason_above={reason_above} run={download} />
      <ImportButton code="identity.member.import" template="role_member" title="角色成员导入" label="导入" onApplied={() => void onChanged()} />
      <Can code={memberApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} disabled={role.is_fixed} title={role.is_fixed ? '超级管理员身份由平台管理，不能在此授予' : undefined} onClick={() => open({ view: 'add' })}>添加成员</Button></Can>
    </>
  )
}

/** The filters of the list as the export asks for them. */
function filters({ keyword, dept_id, state, online }: Readonly<Record<string, string | undefined>>) {
  const known = (['current', 'future', 'ended'] as const).find(one => one === state)
  return { keyword, dept_id, state: known, online: online === '1' || online === '0' ? online : undefined } as const
}
