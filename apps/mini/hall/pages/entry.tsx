import type { LoginReply, RoleEntry } from '@campus/identity/contract'
import { checkAccount, checkCaptcha, roleStep, usable } from '@kit/contract/checks'
import { useCallback, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Refused, sentenceOf } from '../../shell/ask.ts'
import { noteBegun } from '../../shell/boot.ts'
import { useLoaded } from '../../shell/use-loaded.ts'
import { captchaOf, enterAs, logIn, schoolFace } from '../../shell/login-calls.ts'
import { NewPassword } from './new-password.tsx'

type Offer = { ticket: string; list: readonly RoleEntry[] }
type Fields = { account: string; password: string; captcha: string; trust: boolean }

const nothing: Fields = { account: '', password: '', captcha: '', trust: false }
const FORCED: readonly number[] = [6005, 6006]

/** The phone's own entry to the hall (chapter 80 M11): the platform's login, with the identities that the console does not take. */
export function Entry({ school_id, onEntered }: { school_id: number | null; onEntered: () => void }): ReactNode {
  const entry = useEntry(school_id, onEntered)
  const { fields, change, captcha, msg, busy, offer, forced } = entry
  if (forced !== undefined) return <NewPassword ticket={forced} onDone={entry.changed} />
  if (offer) return <Identities offer={offer} busy={busy} msg={msg} onChoose={entry.choose} onBack={entry.back} />
  return (
    <main className="entry">
      <School school_id={school_id} />
      <h1>办事大厅</h1>
      <form onSubmit={entry.submit} noValidate>
        <Field label="账号" value={fields.account} max={30} complete="username" onChange={account => change({ account })} />
        <Field label="密码" value={fields.password} max={64} complete="current-password" secret onChange={password => change({ password })} />
        <div className="captcha">
          <Field label="验证码" value={fields.captcha} max={4} complete="off" onChange={text => change({ captcha: text })} />
          <button type="button" aria-label="看不清？点击刷新" onClick={captcha.again}>{captcha.data?.image ? <img src={captcha.data.image} alt="验证码" /> : '点击加载'}</button>
        </div>
        <label className="switch"><input type="checkbox" checked={fields.trust} onChange={event => change({ trust: event.target.checked })} /><span>信任本机（8小时内免登录）</span></label>
        <p className="entry-msg" role="alert">{msg || captcha.failure}</p>
        <button type="submit" className="button button-first" disabled={busy}>{busy ? '正在登录' : '登录'}</button>
      </form>
    </main>
  )
}

/** What stands in the form, and what follows a right password: one identity straight on, several to choose from, or a new password first. */
function useEntry(school_id: number | null, onEntered: () => void) {
  const [fields, setFields] = useState(nothing)
  const [msg, setMsg] = useState('')
  const [busy, setBusy] = useState(false)
  const [offer, setOffer] = useState<Offer>()
  const [forced, setForced] = useState<string>()
  const captcha = useLoaded(useCallback(() => captchaOf('login'), []))
  const change = (part: Partial<Fields>) => setFields(before => ({ ...before, ...part }))
  const enter = async (role: RoleEntry, ticket: string) => {
    await enterAs(role, ticket, fields.trust)
    noteBegun('hall', true)
    onEntered()
  }
  const go = (reply: LoginReply) => {
    const address = school_id === null ? {} : { school_id }
    const step = roleStep(usable(reply.role_list, address, 'mini'), address)
    if (step.kind === 'none') return setMsg(step.msg)
    return step.kind === 'one' ? enter(step.entry, reply.token) : setOffer({ ticket: reply.token, list: step.list })
  }
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true)
    setMsg('')
    try {
      await act()
    } catch (cause) {
      const ticket = ticketOf(cause)
      if (ticket === undefined) setMsg(sentenceOf(cause))
      setForced(ticket)
    }
    change({ captcha: '' })
    captcha.again()
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkFields(fields)
    if (wrong !== null || !captcha.data) return setMsg(wrong ?? '验证码加载失败，请点击图片重试')
    const { data } = captcha
    return void run(async () => go(await logIn(fields, data, school_id)))
  }
  const changed = () => {
    setForced(undefined)
    setMsg('密码已修改，请用新密码登录')
    change({ password: '' })
  }
  return { fields, change, captcha, msg, busy, offer, forced, submit, changed, choose: (role: RoleEntry) => void run(() => enter(role, offer?.ticket ?? '')), back: () => setOffer(undefined) }
}

function School({ school_id }: { school_id: number | null }): ReactNode {
  const { data } = useLoaded(useCallback(() => schoolFace(school_id), [school_id]))
  if (!data?.school_name) return null
  return <p className="entry-school">{data.school_logo_url !== null && <img src={data.school_logo_url} alt="" />}{data.school_name}</p>
}

type FieldProps = { label: string; value: string; max: number; complete: string; secret?: boolean; onChange: (text: string) => void }

function Field({ label, value, max, complete, secret, onChange }: FieldProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input type={secret ? 'password' : 'text'} autoComplete={complete} autoCapitalize="none" maxLength={max} value={value} onChange={event => onChange(event.target.value)} />
    </label>
  )
}

type IdentityProps = { offer: Offer; busy: boolean; msg: string; onChoose: (entry: RoleEntry) => void; onBack: () => void }

function Identities({ offer, busy, msg, onChoose, onBack }: IdentityProps): ReactNode {
  return (
    <main className="entry">
      <h1>选择您要登录的身份角色</h1>
      <ul className="lines">
        {offer.list.map(entry => (
          <li key={entry.id}>
            <button type="button" className="line" aria-label={`${entry.name}，${placeOf(entry)}`} disabled={busy} onClick={() => onChoose(entry)}>
              <span className="words"><b>{entry.name}</b><small>{placeOf(entry)}</small></span>
            </button>
          </li>
        ))}
      </ul>
      <p className="entry-msg" role="alert">{msg}</p>
      <button type="button" className="button" onClick={onBack}>返回登录</button>
    </main>
  )
}

function placeOf({ school_name, user_dep_name }: RoleEntry): string {
  return user_dep_name ? `${school_name} · ${user_dep_name}` : school_name
}

function checkFields({ account, password, captcha }: Fields): string | null {
  if (account === '') return '用户名不能为空'
  return checkAccount(account) ?? (password === '' ? '密码不能为空' : checkCaptcha(captcha))
}

/** The ticket of 6005 and 6006, with which a new password is set. */
function ticketOf(cause: unknown): string | undefined {
  if (!(cause instanceof Refused) || !FORCED.includes(cause.code)) return undefined
  const { data } = cause
  return typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string' ? data.token : undefined
}
