import { z } from 'zod'
import { checkValue, normalise } from './kind.ts'
import type { FieldRule } from './kind.ts'

export const required_msg = '必填项不能为空'

/** A text that must be there; answers it normalised. */
export function filled(rule: FieldRule) {
  return z
    .string({ error: required_msg })
    .transform(text => normalise(rule, text))
    .superRefine((value, ctx) => report(ctx, value === '' ? required_msg : checkValue(rule, value)))
}

/** A text that may be empty; nothing but blanks is null. */
export function loose(rule: FieldRule) {
  return z
    .string()
    .transform(text => normalise(rule, text) || null)
    .superRefine((value, ctx) => report(ctx, value === null ? null : checkValue(rule, value)))
    .nullable()
}

function report(ctx: z.RefinementCtx, msg: string | null): void {
  if (msg !== null) ctx.addIssue({ code: 'custom', message: msg })
}
