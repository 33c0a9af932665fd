import { checkRoleChoice } from '@kit/contract/checks'
import { AppModal, toast } from '@kit/web'
import { Input, Radio, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { logoAddress, matchingIdentities } from '../../login/identity-list.ts'
import { useSession } from '../session/session.ts'
import type { RoleEntry } from '../session/session.ts'
import { switchIdentity } from './switch-identity.ts'

const SEARCH_FROM = 8

/** 切换身份: the identities of the account, as the login page shows them. */
export function IdentityDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { identities, role } = useSession()
  const [chosen, setChosen] = useState<string>(role.id)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    const entry = identities.find((identity) => identity.id === chosen)
    const refusal = checkRoleChoice(entry)
    if (refusal !== null || !entry) return toast.warning(refusal ?? '')
    if (entry.id === role.id) return onClose()
    setBusy(true)
    await switchIdentity(entry).catch(() => setBusy(false))
  }
  return (
    <AppModal open title="选择您要登录的身份角色" width={500} okText="确定" confirmLoading={busy} onOk={() => void confirm()} onCancel={onClose}>
      {identities.length > SEARCH_FROM && (
        <Input.Search allowClear aria-label="搜索身份" placeholder="搜索学校、角色或部门" onChange={(event) => setText(event.target.value)} />
      )}
      <Radio.Group className="app-identities" value={chosen} onChange={(event) => setChosen(String(event.target.value))}>
        {matchingIdentities(identities, text).map((entry) => (
          <Identity key={entry.id} entry={entry} current={entry.id === role.id} />
        ))}
      </Radio.Group>
    </AppModal>
  )
}

function Identity({ entry, current }: { entry: RoleEntry; current: boolean }): ReactNode {
  const refusal = checkRoleChoice(entry)
  const logo = logoAddress(entry.school_logo)
  return (
    <Radio value={entry.id} disabled={refusal !== null} className="app-identity-line">
      {logo ? <img className="app-logo" src={logo} alt="" /> : <span className="app-logo app-logo-letter" aria-hidden>{entry.school_name.slice(0, 1)}</span>}
      <span className="app-identity-text">
        <span>
          <b>{entry.name}</b> {current && <Tag color="blue">当前</Tag>}
        </span>
        <span className="app-muted">{[entry.school_name, entry.user_dep_name].filter(Boolean).join(' · ')}</span>
        {refusal && <span className="kit-bad">{refusal}</span>}
      </span>
    </Radio>
  )
}
