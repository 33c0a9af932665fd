import { useEffect, useState } from 'react'
import { DemoStrip } from './demo-strip.tsx'
import { edit, useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { parseSettings } from './settings.ts'
import type { DemoAccount } from './settings.ts'
import { isBare } from './visit.ts'

/** The title of the window, and what the public settings add to the card: demo accounts and, at the bare address, the filing notice. */
export function Extras({ login }: { login: Login }) {
  const [settings] = useState(() => parseSettings(document.getElementById('campus-settings')?.textContent))
  const name = useLogin(login).face?.school_name
  useEffect(() => {
    if (name) document.title = `${name} - 登录`
  }, [name])
  const fill = ({ account, password = '' }: DemoAccount) => {
    edit(login, form => ({ ...form, account, password, remember_token: null }))
    login.set({ cursor: { field: password ? 'captcha' : 'password' } })
  }
  return (
    <>
      {settings.demo_accounts.length > 0 && <DemoStrip accounts={settings.demo_accounts} onPick={fill} />}
      {isBare(login.visit) && <footer className="filing">{settings.filing_notice}</footer>}
    </>
  )
}
