import { useEffect, useRef, useState } from 'react'
import type { Login } from '../login-state.ts'
import { Modal } from '../modal.tsx'
import { pageSettings } from '../settings.ts'
import { returnAddress } from './return-address.ts'

/** The page of the test provider: a click on a demo account comes back as the chosen shape does. Demo and test environments alone know it. */
export function TestDialog({ login, shape, state }: { login: Login; shape: string; state: string }) {
  const [accounts] = useState(() => pageSettings().demo_accounts ?? [])
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.querySelector('button')?.focus(), [])
  const go = (account: string) => location.assign(returnAddress(shape, { account, state, school_id: login.visit.school_id ?? 0 }))
  return (
    <Modal title={`演示登录 · 方式${shape}`} size="narrow" onCancel={() => login.set({ dialog: null })}>
      <div className="modal-body">
        <p className="modal-text">这里代替第三方的登录页。选择一个演示账号，将带着方式{shape}的参数返回登录页。</p>
        <ul ref={list} className="test-accounts">
          {accounts.map(({ account, note }) => (
            <li key={account}><button type="button" onClick={() => go(account)}><b>{account}</b><span>{note}</span></button></li>
          ))}
        </ul>
        <form
          className="test-other"
          onSubmit={event => {
            event.preventDefault()
            if (typed.trim() !== '') go(typed.trim())
          }}
        >
          <input className="field-input" aria-label="其他账号" placeholder="其他账号" autoComplete="off" value={typed} onChange={event => setTyped(event.target.value)} />
          <button type="submit" className="plain">登录</button>
        </form>
      </div>
    </Modal>
  )
}
