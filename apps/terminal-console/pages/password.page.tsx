import { most_password_digits, newPasswordFault } from '@kit/terminal-protocol/console'
import type { Fault } from '@kit/terminal-protocol/console'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Field } from '../form/fields.tsx'
import { ask } from '../shell/ask.ts'
import { Button, Card } from '../shell/parts.tsx'
import { say } from '../shell/toast.tsx'
import { useWork } from '../shell/use-work.ts'
import { faultText, useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'

const empty = { old: '', password: '', confirm: '' }
const boxes = [['old', 'password.old', 'current-password'], ['password', 'password.new', 'new-password'], ['confirm', 'password.again', 'new-password']] as const satisfies readonly (readonly [keyof typeof empty, Key, string])[]

/** Another password for the console; the first one that was drawn must go before anything else is shown. */
export function PasswordPage({ must_change, onChanged }: { must_change: boolean; onChanged: () => void }): ReactNode {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const [typed, setTyped] = useState(empty)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const faultOf = (key: string) => {
    const fault = faults.find(one => one.key === key)
    return fault && faultText(t, fault)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const own = faultsOf(typed)
    setFaults(own)
    if (own.length > 0) return
    const refused = await work(() => ask('POST', 'password', typed))
    setFaults(refused ?? [])
    if (refused) return
    setTyped(empty)
    say(t('say.saved'))
    onChanged()
  }
  const type = (key: keyof typeof empty, text: string) => {
    setTyped({ ...typed, [key]: text.slice(0, most_password_digits) })
    setFaults([...faults.filter(fault => fault.key !== key), ...(text.length > most_password_digits ? [{ code: 'password_long', key } as const] : [])])
  }
  return (
    <Card title={t('nav.password')} note={t('password.hint')}>
      {must_change && <p className="fault" role="alert">{t('password.first')}</p>}
      <form onSubmit={event => void submit(event)} noValidate>
        {boxes.map(([key, label, complete]) => (
          <Field key={key} label={t(label)} fault={faultOf(key)}>
            {tied => <input {...tied} type="password" inputMode="numeric" autoComplete={complete} value={typed[key]} onChange={event => type(key, event.target.value)} />}
          </Field>
        ))}
        <div className="buttons"><Button kind="first" type="submit" disabled={is_busy}>{t('password.save')}</Button></div>
      </form>
    </Card>
  )
}

/** What is wrong before the device is asked; only it knows the old password. */
function faultsOf({ old, password, confirm }: typeof empty): Fault[] {
  const fresh = newPasswordFault(password)
  const again = password === confirm ? undefined : 'password_mismatch'
  return [...(old === '' ? [{ code: 'password_empty', key: 'old' } as const] : []), ...(fresh ? [{ code: fresh, key: 'password' }] : []), ...(!fresh && again ? [{ code: again, key: 'confirm' } as const] : [])]
}
