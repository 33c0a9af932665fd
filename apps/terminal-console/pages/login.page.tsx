import { loginFault, most_password_digits } from '@kit/terminal-protocol/console'
import type { Entered, Fault, Greeting } from '@kit/terminal-protocol/console'
import { useEffect, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Field } from '../form/fields.tsx'
import { ask, Refused } from '../shell/ask.ts'
import { LanguageChoice } from '../shell/language.tsx'
import { Button } from '../shell/parts.tsx'
import { say } from '../shell/toast.tsx'
import { useFirstFocus } from '../shell/use-first-focus.ts'
import { faultText, useWords } from '../words/words.ts'

const second_ms = 1000

/** The way in: one password of digits; too many wrong ones and the time that is left runs down before one's eyes. */
export function LoginPage({ greeting, onEntered }: { greeting: Greeting; onEntered: (entered: Entered) => void }): ReactNode {
  const { t } = useWords()
  const [password, setPassword] = useState('')
  const [is_shown, setShown] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const first = useFirstFocus<HTMLFormElement>()
  const locked = useCountdown(fault?.code === 'locked' ? fault : undefined)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const own = loginFault(password)
    if (own) return setFault({ code: own })
    try {
      const entered = await ask<Entered>('POST', 'login', { password })
      say(t('say.logged_in'))
      onEntered(entered)
    } catch (cause) {
      const refused = cause instanceof Refused ? cause.faults[0] : undefined
      setFault(refused)
      if (!refused) say(t('say.offline'), true)
    }
  }
  const type = (typed: string) => {
    setPassword(typed.slice(0, most_password_digits))
    setFault(typed.length > most_password_digits ? { code: 'password_long' } : undefined)
  }
  const shown = fault?.code === 'locked' ? (locked > 0 ? faultText(t, { ...fault, seconds: locked }) : undefined) : fault && faultText(t, fault)
  return (
    <main className="login">
      <header><LanguageChoice /></header>
      <form ref={first} onSubmit={event => void submit(event)} noValidate>
        <h1>{t('app.title')}</h1>
        <p className="note">{`${greeting.name} · ${t('login.sn')} ${greeting.sn}`}</p>
        <Field label={t('login.password')} fault={shown} hint={t('login.first')}>
          {tied => (
            <span className="with-button">
              <input {...tied} type={is_shown ? 'text' : 'password'} inputMode="numeric" autoComplete="current-password" value={password} onChange={event => type(event.target.value)} />
              <button type="button" aria-pressed={is_shown} onClick={() => setShown(!is_shown)}>{t(is_shown ? 'login.hide' : 'login.show')}</button>
            </span>
          )}
        </Field>
        <Button kind="first" type="submit" disabled={locked > 0}>{t('login.title')}</Button>
      </form>
    </main>
  )
}

/** Seconds that are left of a lock. */
function useCountdown(fault: Fault | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (fault?.seconds === undefined) return
    const until = Date.now() + fault.seconds * second_ms
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / second_ms)))
    count()
    const timer = setInterval(count, second_ms)
    return () => clearInterval(timer)
  }, [fault])
  return fault === undefined ? 0 : left
}
