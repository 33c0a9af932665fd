import { useCallback, useEffect, useState } from 'react'
import type { Form } from './attempt.ts'
import { firstEmpty, openingForm } from './form-state.ts'
import type { FieldName } from './form-state.ts'

export type FormState = {
  form: Form
  /** the field the last check failed on */
  invalid: FieldName | null
  change: (edit: (form: Form) => Form) => void
  /** marks a field as failed and puts the cursor there */
  pointAt: (field: FieldName) => void
  /** applies an edit, then puts the cursor into the first empty field */
  resume: (edit: (form: Form) => Form) => void
}

/** The content of the login form and where its cursor goes. */
export function useForm(): FormState {
  const [form, setForm] = useState(openingForm)
  const [invalid, setInvalid] = useState<FieldName | null>(null)
  const [cursor, setCursor] = useState<{ field: FieldName | null }>({ field: null })

  const change = useCallback((edit: (form: Form) => Form) => {
    setForm(edit)
    setInvalid(null)
  }, [])
  const pointAt = useCallback((field: FieldName) => {
    setInvalid(field)
    setCursor({ field })
  }, [])
  const resume = useCallback((edit: (form: Form) => Form) => {
    setForm(edit)
    setInvalid(null)
    setCursor({ field: null })
  }, [])

  // Only a new cursor moves the focus; the form it is read from is the one rendered with it.
  useEffect(() => {
    document.getElementById(cursor.field ?? firstEmpty(form))?.focus()
  }, [cursor])
  return { form, invalid, change, pointAt, resume }
}
