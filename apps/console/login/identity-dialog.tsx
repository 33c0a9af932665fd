import { checkRoleChoice } from '@kit/contract/checks'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { isSuperEntry, matchingIdentities } from './identity-list.ts'
import { IdentityOption } from './identity-option.tsx'
import { useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { Modal } from './modal.tsx'
import { lastUsed } from './session-storage.ts'
import { showToast } from './toast.tsx'
import type { RoleEntry } from './wire.ts'

type Props = {
  login: Login
  list: readonly RoleEntry[]
  preselected: RoleEntry | null
  onChoose: (entry: RoleEntry, reason?: string) => void
  onClose: () => void
}

/** From this many identities on, finding beats scrolling. */
const SEARCH_FROM = 9

/** The choice of an identity: arrows move, Enter confirms, entries blocked on the web say why. */
export function IdentityDialog({ login, list, preselected, onChoose, onClose }: Props) {
  const { busy } = useLogin(login)
  const [wanted, setWanted] = useState(preselected)
  const [search, setSearch] = useState('')
  const [reason, setReason] = useState('')
  const [last] = useState(lastUsed)
  const options = useRef<HTMLDivElement>(null)
  const shown = matchingIdentities(list, search)
  // Nobody enters as somebody the search has put out of sight.
  const chosen = shown.find(({ id }) => id === wanted?.id) ?? null
  const asks_reason = chosen !== null && isSuperEntry(chosen)
  useEffect(() => options.current?.querySelector<HTMLInputElement>(':checked')?.focus(), [])
  const confirm = () => {
    const refusal = checkRoleChoice(chosen)
    if (refusal || !chosen) return showToast(refusal ?? '')
    if (asks_reason && reason.trim() === '') return showToast('请填写进入该学校的原因')
    onChoose(chosen, asks_reason ? reason.trim() : undefined)
  }
  return (
    <Modal title="选择您要登录的身份角色" size="narrow" onCancel={() => busy || onClose()}>
      <form
        className="modal-body"
        onSubmit={event => {
          event.preventDefault()
          if (!busy) confirm()
        }}
      >
        {list.length >= SEARCH_FROM && <SearchBox value={search} onChange={setSearch} />}
        <div ref={options} className="identity-list" role="radiogroup" aria-label="身份列表">
          {shown.map(entry => (
            <IdentityOption key={entry.id} entry={entry} checked={entry.id === chosen?.id} is_last={entry.id === last} onSelect={setWanted} />
          ))}
          {shown.length === 0 && <p className="identity-none">没有符合“{search}”的身份</p>}
        </div>
        {asks_reason && <ReasonBox value={reason} onChange={setReason} />}
        <footer className="modal-foot">
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {busy && <span className="spinner" aria-hidden="true" />}
            确定
          </button>
        </footer>
      </form>
    </Modal>
  )
}

type BoxProps = { value: string; onChange: (text: string) => void }

function SearchBox({ value, onChange }: BoxProps) {
  return (
    <input
      className="field-input identity-search" type="search" aria-label="搜索身份" placeholder="搜索学校、角色或部门"
      value={value} onChange={event => onChange(event.target.value)} onKeyDown={enterList}
    />
  )
}

/** Why a super account comes into the school (platform rule R9). */
function ReasonBox({ value, onChange }: BoxProps) {
  return (
    <label className="identity-reason">
      进入原因（记入该校的操作日志，该校管理员可以查看）
      <input className="field-input" maxLength={60} aria-required value={value} onChange={event => onChange(event.target.value)} />
    </label>
  )
}

/** Arrow down leaves the search box for the list and takes its first entry. */
function enterList(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  const first = event.currentTarget.form?.querySelector<HTMLInputElement>('input[type=radio]:not(:disabled)')
  first?.focus()
  first?.click()
}
