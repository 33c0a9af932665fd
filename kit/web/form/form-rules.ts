import type { FormInstance, FormRule } from 'antd'
import type { z } from 'zod'
import { CallError } from '../call/envelope.ts'

/** An antd rule from one field of a draft schema: its first sentence is shown. */
export function ruleOf(schema: z.ZodType): FormRule {
  return {
    validator: (_: unknown, value: unknown) => {
      const result = schema.safeParse(value)
      return result.success ? Promise.resolve() : Promise.reject(new Error(result.error.issues[0]?.message))
    },
  }
}

/** Puts the server's sentences beside their fields. True when there were any. */
export function showFieldErrors(form: FormInstance, cause: unknown): boolean {
  if (!(cause instanceof CallError) || cause.errors.length === 0) return false
  for (const { field, msg } of cause.errors) {
    const known = form.getFieldsError().find(({ name }) => name.join('.') === field)
    if (known) form.setFields([{ name: known.name, errors: [msg] }])
  }
  return true
}
