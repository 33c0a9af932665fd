import { useCallback, useEffect, useState } from 'react'
import { getPasswordSet, getSchoolFace } from './calls.ts'
import type { PasswordSet, SchoolFace } from './wire.ts'

export type School = {
  /** `ready` at the root at once; `failed` when the school of the address could not be asked */
  state: 'loading' | 'ready' | 'failed'
  /** null at the root and for an address nobody knows */
  face: SchoolFace | null
  password_set: PasswordSet | null
  /** asks for the face (again); answers it */
  load: () => Promise<SchoolFace | null>
}

/** What the address's school looks like and asks of passwords. Unknown schools look like the root. */
export function useSchool(school_id: number | undefined): School {
  const [state, setState] = useState<School['state']>(school_id === undefined ? 'ready' : 'loading')
  const [face, setFace] = useState<SchoolFace | null>(null)
  const [password_set, setPasswordSet] = useState<PasswordSet | null>(null)

  const load = useCallback(async () => {
    if (school_id === undefined) return null
    const answer = await getSchoolFace(school_id)
    const known = answer.kind === 'ok' && answer.data.school_name !== '' ? answer.data : null
    setFace(known)
    setState(answer.kind === 'lost' ? 'failed' : 'ready')
    return known
  }, [school_id])

  useEffect(() => {
    void load()
    void getPasswordSet(school_id).then(answer => {
      if (answer.kind === 'ok') setPasswordSet(answer.data)
    })
  }, [load, school_id])
  return { state, face, password_set, load }
}
