import { personApi } from '@campus/people/contract'
import { call } from '@kit/web'
import type { Request } from '@kit/contract'
import { useEffect, useState } from 'react'

const KEPT_MS = 5 * 60_000
type Fields = Request<typeof personApi.reveal>['fields']

export type Revealed = {
  /** clear values by person and field */
  value: (user_id: string, field: string) => string | undefined
  any: boolean
  /** a refusal is thrown, the caller says it */
  ask: (user_id: string, fields: Fields, reason: string) => Promise<void>
}

/** Values in clear, kept in the memory of this page for five minutes (chapter 20 rule 25). */
export function useRevealed(): Revealed {
  const [kept, setKept] = useState<Record<string, string>>({})
  useEffect(() => {
    if (Object.keys(kept).length === 0) return
    const timer = setTimeout(() => setKept({}), KEPT_MS)
    return () => clearTimeout(timer)
  }, [kept])
  return {
    value: (user_id, field) => kept[`${user_id}.${field}`],
    any: Object.keys(kept).length > 0,
    ask: async (user_id, fields, reason) => {
      const { values } = await call(personApi.reveal, { user_id, fields, reason }, { quiet: true })
      setKept(before => ({ ...before, ...Object.fromEntries(Object.entries(values).map(([field, value]) => [`${user_id}.${field}`, value ?? '']))}))
    },
  }
}
