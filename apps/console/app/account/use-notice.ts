import { loginApi } from '@campus/identity/contract'
import { call, readStored, serverNow, store } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isSuperEntry } from '../../login/identity-list.ts'
import { useSession } from '../session/session.ts'
import { dismissalOf, showsNotice } from './notice.ts'

/** A school's password notice as it is to be shown now: its text, null = the product's own words; `close` keeps it closed for the day. */
export type DueNotice = { text: string | null; close: () => void }

/** The notice of the school's password rule, while it is due for this person (product spec §5); null otherwise. Server time alone counts. */
export function usePasswordNotice(): DueNotice | null {
  const { person, role, school } = useSession()
  const [closed, setClosed] = useState(false)
  const { user_id } = person
  const is_super = isSuperEntry(role) || readStored('account') === 'super'
  const dismissed = readStored('pwdNotice')
  const is_open = !closed && !is_super && dismissed !== dismissalOf(serverNow(), user_id)
  const { data } = useQuery({
    queryKey: [loginApi.passwordSet.call, school.school_id],
    queryFn: ({ signal }) => call(loginApi.passwordSet, { school_id: school.school_id }, { signal, quiet: true }),
    enabled: is_open,
    staleTime: Infinity,
  })
  if (!is_open || !data?.notice_until) return null
  if (!showsNotice({ now: serverNow(), until: Date.parse(data.notice_until), is_super, user_id, dismissed })) return null
  const close = () => {
    store('pwdNotice', dismissalOf(serverNow(), user_id))
    setClosed(true)
  }
  return { text: data.notice_text ?? null, close }
}
