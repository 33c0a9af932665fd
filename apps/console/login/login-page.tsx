import { useEffect } from 'react'
import type { Visit } from './address.ts'
import { DemoStrip } from './demo-strip.tsx'
import { OpenDialog } from './dialogs.tsx'
import { BrandMark } from './icons.tsx'
import { LoginForm } from './login-form.tsx'
import { Providers } from './providers.tsx'
import { SchoolLogo } from './school-logo.tsx'
import type { PublicSettings } from './settings.ts'
import { Toasts } from './toast.tsx'
import { useLogin } from './use-login.ts'
import type { School } from './use-school.ts'

const product_name = '智慧校园管理平台'

/** The login page: a picture on the left, the card on the right; at `/{school_id}` with that school's face. */
export function LoginPage({ visit, settings }: { visit: Visit; settings: PublicSettings }) {
  const login = useLogin(visit)
  const { school, dialog } = login
  const background = school.face?.login_bg_url
  return (
    <div className="login" data-own-background={Boolean(background)}>
      {background ? <img className="backdrop" src={background} alt="" /> : <Picture />}
      <main className="card">
        <CardHead school={school} />
        <LoginForm login={login} />
        <Providers providers={school.face?.providers ?? []} />
      </main>
      {settings.demo_accounts.length > 0 && (
        <DemoStrip accounts={settings.demo_accounts} onPick={picked => login.resume(form => ({
          ...form, account: picked.account, password: picked.password ?? '', remember_token: null,
        }))} />
      )}
      <footer className="filing">{visit.is_bare && settings.filing_notice}</footer>
      {dialog
        ? <OpenDialog dialog={dialog} busy={login.busy} onClose={login.close} onLeave={login.leave} onPasswordChanged={login.passwordChanged} />
        : <Toasts />}
    </div>
  )
}

/** The product's own picture. */
function Picture() {
  return (
    <aside className="picture" aria-hidden="true">
      <p className="picture-title">让校园里的每一件事<br />井井有条</p>
      <p className="picture-text">人员 · 教务 · 门禁 · 考勤 · 班牌 · 家校</p>
    </aside>
  )
}

/** Logo and name of the school, of the product where no school is known; its height is the same in every state. */
function CardHead({ school }: { school: School }) {
  const name = school.face?.school_name
  useEffect(() => {
    document.title = `登录 - ${name ?? product_name}`
  }, [name])
  if (school.state === 'loading') return <header className="card-head" aria-busy="true" />
  return (
    <header className="card-head">
      {name ? <SchoolLogo address={school.face?.school_logo_url ?? null} name={name} /> : <BrandMark />}
      <h1>{name ?? product_name}</h1>
    </header>
  )
}
