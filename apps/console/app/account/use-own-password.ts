import { loginApi } from '@campus/identity/contract'
import { checkNewPassword, checkNewPasswordPair, checkOldPassword, checkPasswordSubmit, checkStrong } from '@kit/contract/checks'
import { call, toast } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { changePassword } from './change-password.ts'

/** The three inputs of 修改密码, by their ids in the page. */
export const password_ids = { old_pass: 'own_old_pass', new_pass: 'own_new_pass', again: 'own_again' } as const
export type PasswordName = keyof typeof password_ids

const LOWEST = 8
const names: readonly PasswordName[] = ['old_pass', 'new_pass', 'again']
const empty = { old_pass: '', new_pass: '', again: '' }

/** State of 修改密码: the texts, the sentences they have earned, the rule of the school, and the submission; a refused one sends the cursor to the first wrong field. */
export function useOwnPassword(onDone: () => void) {
  const { school, person } = useSession()
  const { data } = useQuery({ queryKey: [loginApi.passwordSet.call], queryFn: () => call(loginApi.passwordSet, { school_id: school.school_id }, { quiet: true }) })
  const [texts, setTexts] = useState<Record<PasswordName, string>>(empty)
  const [not_mine, setNotMine] = useState<string>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const { old_pass, new_pass, again } = texts
  const min = data?.pwd_count ?? LOWEST
  const strong = data?.is_password_strong === 1
  const wrong: Record<PasswordName, string | null> = {
    old_pass: checkOldPassword(old_pass) ?? (old_pass === not_mine ? '旧密码错误' : null),
    new_pass: checkNewPassword(new_pass, min) ?? (strong ? checkStrong(new_pass) : null),
    again: checkNewPasswordPair(new_pass, again),
  }
  const submit = async () => {
    if (busy) return
    setTried(true)
    const refusal = checkPasswordSubmit(Object.values(wrong))
    if (refusal !== null) {
      focus(names.find(name => wrong[name] !== null))
      return toast.warning(refusal)
    }
    setBusy(true)
    const became = await changePassword(old_pass, new_pass, person.user_id)
    setBusy(false)
    if (became === 'changed') return onDone()
    if (became !== 'old_wrong') return
    setNotMine(old_pass)
    focus('old_pass')
  }
  return {
    texts, min, strong, busy, submit,
    set: (name: PasswordName, text: string) => setTexts({ ...texts, [name]: text }),
    sentenceOf: (name: PasswordName) => (tried || texts[name] !== '' ? wrong[name] : null),
  }
}

function focus(name: PasswordName | undefined): void {
  if (name) document.getElementById(password_ids[name])?.focus()
}
