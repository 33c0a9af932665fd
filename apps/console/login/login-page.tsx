import { LoginForm } from './login-form.tsx'
import { useLogin } from './login-state.ts'
import type { Login, LoginState } from './login-state.ts'
import { useParts } from './use-parts.ts'
import type { Parts } from './use-parts.ts'
import { pageSettings } from './settings.ts'

const { brand_title, brand_logo, login_background } = pageSettings()
const product_name = brand_title ?? '智慧校园管理平台'

/**
 * The login page: a picture on the left, the card on the right; at `/{school_id}` with that school's face. Only what is
 * painted first is fetched first; everything that acts comes as `parts` right after the first paint.
 */
export function LoginPage({ login }: { login: Login }) {
  const state = useLogin(login)
  const { parts, run } = useParts(login)
  const background = state.face?.login_bg_url ?? login_background
  return (
    <div className="login" data-own-background={!!background}>
      {background ? <img className="backdrop" src={background} alt="" /> : <div className="picture" />}
      <main className="card">
        <CardHead state={state} parts={parts} />
        <LoginForm login={login} parts={parts} run={run} />
        {parts && <parts.Providers login={login} />}
      </main>
      {parts && <parts.Extras login={login} />}
      {state.dialog ?? (parts && <parts.Toasts />)}
    </div>
  )
}

/** The product's own mark and name, or the school's; its height is the same in every state. */
function CardHead({ state: { face, school_state }, parts }: { state: LoginState; parts: Parts | null }) {
  const name = face?.school_name ?? product_name
  return (
    <header className="card-head">
      {school_state !== 'loading' && <>
        {parts && face ? <parts.SchoolLogo address={face.school_logo_url} name={name} /> : <OwnMark />}
        <h1>{name}</h1>
      </>}
    </header>
  )
}

/** The owner's mark where he has one, else the product's. */
function OwnMark() {
  return brand_logo ? <img className="logo" src={brand_logo} alt="" /> : <span className="brand-mark" />
}
