import { useState } from 'react'
import { DemoStrip } from './demo-strip.tsx'
import { edit } from './login-state.ts'
import type { Login } from './login-state.ts'
import { parseSettings } from './settings.ts'
import type { DemoAccount } from './settings.ts'

/** What the public settings add below the card: demo accounts and, at the bare address, the filing notice. */
export function Extras({ login }: { login: Login }) {
  const [settings] = useState(() => parseSettings(document.getElementById('campus-settings')?.textContent))
  const fill = ({ account, password = '' }: DemoAccount) => {
    edit(login, form => ({ ...form, account, password, remember_token: null }))
    login.set({ cursor: { field: password ? 'captcha' : 'password' } })
  }
  return (
    <>
      {settings.demo_accounts.length > 0 && <DemoStrip accounts={settings.demo_accounts} onPick={fill} />}
      {login.visit.is_bare && <footer className="filing">{settings.filing_notice}</footer>}
    </>
  )
}
