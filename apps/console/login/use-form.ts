import { useCallback, useEffect, useState } from 'react'
import type { Form } from './attempt.ts'
import { firstEmpty, openingForm } from './form-state.ts'
import type { FieldName } from './form-state.ts'

type Edit = (form: Form) => Form
type State = {
  form: Form
  /** the field the last check failed on */
  invalid: FieldName | null
  /** where the cursor was sent last; a new object sends it again */
  cursor: { field: FieldName }
}

export type FormState = Pick<State, 'form' | 'invalid'> & {
  change: (edit: Edit) => void
  /** marks a field as failed and puts the cursor there */
  pointAt: (field: FieldName) => void
  /** applies an edit, then puts the cursor into the first empty field */
  resume: (edit: Edit) => void
}

/** The content of the login form and where its cursor goes. */
export function useForm(): FormState {
  const [{ form, invalid, cursor }, setState] = useState(opening)
  const change = useCallback((edit: Edit) => {
    setState(now => ({ ...now, form: edit(now.form), invalid: null }))
  }, [])
  const pointAt = useCallback((field: FieldName) => {
    setState(now => ({ ...now, invalid: field, cursor: { field } }))
  }, [])
  const resume = useCallback((edit: Edit) => {
    setState(now => resumed(edit(now.form)))
  }, [])

  useEffect(() => {
    document.getElementById(cursor.field)?.focus()
  }, [cursor])
  return { form, invalid, change, pointAt, resume }
}

function opening(): State {
  return resumed(openingForm())
}

function resumed(form: Form): State {
  return { form, invalid: null, cursor: { field: firstEmpty(form) } }
}
