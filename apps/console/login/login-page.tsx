import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { LoginForm } from './login-form.tsx'
import { useLogin } from './login-state.ts'
import type { Login, LoginState } from './login-state.ts'
import type * as later from './parts.tsx'
import { SchoolLogo } from './school-logo.tsx'

type Parts = typeof later

const product_name = '智慧校园管理平台'

/**
 * The login page: a picture on the left, the card on the right; at `/{school_id}` with that school's face. Only what is
 * painted first is fetched first; everything that acts comes as `parts` right after the first paint.
 */
export function LoginPage({ login }: { login: Login }) {
  const state = useLogin(login)
  const { parts, run } = useParts(login)
  const background = state.face?.login_bg_url
  return (
    <div className="login" data-own-background={!!background}>
      {background ? <img className="backdrop" src={background} alt="" /> : <Picture />}
      <main className="card">
        <CardHead state={state} />
        <LoginForm login={login} run={run} />
        {parts && <parts.Providers providers={state.face?.providers} />}
      </main>
      {parts && <parts.Extras login={login} />}
      {state.dialog ?? (parts && <parts.Toasts />)}
    </div>
  )
}

/** Runs an action of the later parts, when they have come; asks for them again where they could not be fetched. */
export type Run = (action: (parts: Parts) => void) => void

function useParts(login: Login): { parts: Parts | null; run: Run } {
  const [parts, setParts] = useState<Parts | null>(null)
  const coming = useRef<Promise<Parts | void>>(null)
  const run: Run = action => {
    coming.current ??= import('./parts.tsx').then(
      loaded => {
        setParts(loaded)
        loaded.start(login)
        return loaded
      },
      () => {
        coming.current = null
        login.set({ captcha_state: 'failed' })
      },
    )
    void coming.current.then(loaded => loaded && action(loaded))
  }
  const begin = useEffectEvent(() => run(() => {}))
  useEffect(() => begin(), [])
  return { parts, run }
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
function CardHead({ state: { face, school_state } }: { state: LoginState }) {
  const name = face?.school_name ?? product_name
  useEffect(() => {
    document.title = `登录 - ${name}`
  }, [name])
  return (
    <header className="card-head">
      {school_state !== 'loading' && <>
        {face ? <SchoolLogo address={face.school_logo_url} name={name} /> : <span className="brand-mark" />}
        <h1>{name}</h1>
      </>}
    </header>
  )
}
