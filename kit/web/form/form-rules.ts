import type { FormInstance, FormRule } from 'antd'
import type { z } from 'zod'
import { CallError } from '../call/envelope.ts'

/** An antd rule from one field of a draft schema: its first sentence is shown. */
export function ruleOf(schema: z.ZodType): FormRule {
  return {
    validator: (_: unknown, value: unknown) => {
      const result = schema.safeParse(value, { error: () => fallback(value) })
      return result.success ? Promise.resolve() : Promise.reject(new Error(result.error.issues[0]?.message ?? fallback(value)))
    },
  }
}

/** Where a schema says nothing of its own: the library would speak of types. Whoever has left a field empty is told to fill it in. */
function fallback(value: unknown): string {
  return value === undefined || value === null || value === '' ? '必填项不能为空' : '内容格式有误，请检查后修改'
}

/** Fields of a form by the ids of the refusals that are about them. */
export type Homes = Readonly<Record<string, string>>

/** Puts the server's sentences beside their fields. True when all of it stands there: what belongs to no field of the form is for its head. */
export function showFieldErrors(form: Pick<FormInstance, 'setFields' | 'getFieldsError'>, cause: unknown, homes: Homes = {}): boolean {
  if (!(cause instanceof CallError)) return false
  const home = homes[cause.error_id ?? '']
  if (home) form.setFields([{ name: home, errors: [cause.message] }])
  let is_placed = home !== undefined || cause.errors.length > 0
  for (const { field, msg } of cause.errors) {
    const known = form.getFieldsError().find(({ name }) => name.join('.') === field)
    if (known) form.setFields([{ name: known.name, errors: [msg] }])
    else is_placed = false
  }
  return is_placed
}
