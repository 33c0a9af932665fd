import { checkNewPassword, checkNewPasswordPair } from '@kit/contract/checks'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { setForcedPassword } from '../../shell/login-calls.ts'

const least = 8

/** 修改密码 before the first login, or after it has expired (6005, 6006). */
export function NewPassword({ ticket, onDone }: { ticket: string; onDone: () => void }): ReactNode {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [msg, setMsg] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkNewPassword(password, least) ?? checkNewPasswordPair(password, again)
    if (wrong !== null) return setMsg(wrong)
    setBusy(true)
    try {
      await setForcedPassword(password, ticket)
      return onDone()
    } catch (cause) {
      setBusy(false)
      return setMsg(sentenceOf(cause))
    }
  }
  return (
    <main className="entry">
      <h1>修改密码</h1>
      <form onSubmit={event => void submit(event)} noValidate>
        <p className="entry-about">您正在使用初始密码或密码已过期，请设置新密码：{least}-64位，大小写字母、数字和特殊符号任意三种。</p>
        <label className="field"><span>新密码</span><input type="password" autoComplete="new-password" maxLength={64} value={password} onChange={event => setPassword(event.target.value)} /></label>
        <label className="field"><span>确认密码</span><input type="password" autoComplete="new-password" maxLength={64} value={again} onChange={event => setAgain(event.target.value)} /></label>
        <p className="entry-msg" role="alert">{msg}</p>
        <button type="submit" className="button button-first" disabled={busy}>保存</button>
      </form>
    </main>
  )
}
