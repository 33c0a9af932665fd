import { api, Day, get, id, PageQuery } from '@kit/contract'
import { z } from 'zod'

/** Steps of the guard, in its order (chapter 10 B1). */
export const explain_steps = ['account', 'school', 'identity', 'role', 'web', 'module', 'shown', 'code', 'row'] as const

/**
 * One step. `ok` null: not reached, since a step before it failed. `fix`: the one thing that would change it, with the page to do it on where
 * there is one.
 */
export const ExplainStep = z.object({
  step: z.enum(explain_steps),
  title: z.string(),
  ok: z.boolean().nullable(),
  text: z.string(),
  fix: z.object({ text: z.string(), path: z.string().nullable() }).nullable(),
})
export type ExplainStep = z.output<typeof ExplainStep>

/** Of `path` and `code` exactly one. `row`: a person over whom the page or button is to work. Without `role_no` the person's best identity is taken. */
export const ExplainQuery = z
  .object({
    user_id: id('identity.account'),
    role_no: id('identity.role_member').optional(),
    path: z.string().max(100).optional(),
    code: z.string().max(80).optional(),
    row: id('identity.account').optional(),
  })
  .refine(query => (query.path === undefined) !== (query.code === undefined), { error: '请选择页面或按钮' })

export const ExplainReply = z.object({
  allowed: z.boolean(),
  user_name: z.string(),
  /** the page or permission in words */
  target: z.string(),
  identity: z.object({ role_no: z.string(), role_id: z.string(), role_name: z.string() }).nullable(),
  /** every identity the person has or had here, to choose another */
  identities: z.array(z.object({ role_no: z.string(), role_name: z.string(), state: z.enum(['current', 'future', 'ended']) })),
  steps: z.array(ExplainStep),
})
export type ExplainReply = z.output<typeof ExplainReply>

/** Of `path` and `code` exactly one; `user_id`: of this person alone. */
export const PastQuery = PageQuery.extend({ on: Day, path: z.string().max(100).optional(), code: z.string().max(80).optional(), user_id: id('identity.account').optional() })
  .refine(query => (query.path === undefined) !== (query.code === undefined), { error: '请选择页面或按钮' })

/** Somebody who could do it on that day, and through which membership. `is_assumed`: the role's permissions are known only from a later day on. */
export const PastHolder = z.object({
  user_id: id('identity.account'),
  user_no: z.string(),
  user_name: z.string(),
  role_no: id('identity.role_member'),
  role_id: id('identity.role'),
  role_name: z.string(),
  valid_from: Day,
  valid_to: Day.nullable(),
  is_assumed: z.boolean(),
})
export type PastHolder = z.output<typeof PastHolder>

/** Why somebody sees or does not see a page or button, by the same functions as the guard. */
export const explainApi = api('web', 'identity.explain', {
  explain: get('identity/explain', { query: ExplainQuery, reply: ExplainReply, need: 'identity.explain.view', within: 'school' }),
  /** who could do it on a day of the past (chapter 10 B3) */
  past: get('identity/past', { query: PastQuery, reply: z.object({ target: z.string(), list: z.array(PastHolder), total: z.number().int() }), need: 'identity.explain.view', within: 'dept' }),
})
