import { useEffect, useState } from 'react'
import { isBare } from './bare-address.ts'
import { DemoStrip } from './demo-strip.tsx'
import { edit, useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import { pageSettings } from './settings.ts'
import type { DemoAccount } from './settings.ts'

/** The title of the window, and what the public settings add to the card: demo accounts and, at the bare address, the filing notice. */
export function Extras({ login }: { login: Login }) {
  const [{ demo_accounts = [], demo_providers = [], filing_notice }] = useState(pageSettings)
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
      {demo_accounts.length > 0 && <DemoStrip accounts={demo_accounts} providers={demo_providers} onPick={fill} />}
      {isBare(login.visit) && <footer className="filing">{filing_notice}</footer>}
    </>
  )
}
