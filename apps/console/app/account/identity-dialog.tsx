import { checkRoleChoice } from '@kit/contract/checks'
import { AppModal, toast } from '@kit/web'
import { Input, Radio, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { logoAddress, matchingIdentities } from '../../login/identity-list.ts'
import { useSession } from '../session/session.ts'
import type { RoleEntry } from '../session/session.ts'
import { asksReason } from './foreign-school.ts'
import { switchIdentity } from './switch-identity.ts'

const SEARCH_FROM = 8
const form_id = 'switch_identity'

/** 切换身份: the identities of the account, as the login page shows them; arrows move, Enter confirms. */
export function IdentityDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { identities, role } = useSession()
  const [wanted, setWanted] = useState<string>(role.id)
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const shown = matchingIdentities(identities, text)
  // Nobody becomes somebody the search has put out of sight.
  const chosen = shown.find((identity) => identity.id === wanted)
  const foreign = chosen !== undefined && asksReason(role, chosen)
  const confirm = async () => {
    if (busy) return
    const refusal = checkRoleChoice(chosen)
    if (refusal !== null || !chosen) return toast.warning(refusal ?? '')
    if (chosen.id === role.id) return onClose()
    if (foreign && reason.trim() === '') return toast.warning('请填写进入该学校的原因')
    setBusy(true)
    await switchIdentity(chosen, foreign ? { reason: reason.trim() } : {}).catch(() => setBusy(false))
  }
  return (
    <AppModal
      open title="选择您要登录的身份角色" width={500} okText="确定" confirmLoading={busy} onCancel={() => busy || onClose()}
      okButtonProps={{ 'aria-disabled': busy, htmlType: 'submit', form: form_id }}
    >
      <form
        id={form_id}
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        {identities.length > SEARCH_FROM && (
          <Input.Search allowClear aria-label="搜索身份" placeholder="搜索学校、角色或部门" onChange={(event) => setText(event.target.value)} />
        )}
        <Radio.Group className="app-identities" aria-label="身份列表" value={chosen?.id ?? null} onChange={(event) => setWanted(String(event.target.value))}>
          {shown.map((entry) => <Identity key={entry.id} entry={entry} current={entry.id === role.id} />)}
        </Radio.Group>
        {foreign && (
          <div className="app-reason">
            <label htmlFor="switch_reason">进入原因（记入该校的操作日志，该校管理员可以查看）</label>
            <Input id="switch_reason" aria-required maxLength={60} showCount value={reason} onChange={(event) => setReason(event.target.value)} />
          </div>
        )}
        {shown.length === 0 && <p className="app-muted" role="status">没有符合“{text}”的身份</p>}
      </form>
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
