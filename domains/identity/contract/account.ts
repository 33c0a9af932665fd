import { api, Done, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { account_states } from './member.ts'

const UserId = id('identity.account')
const Whom = z.strictObject({ user_id: UserId })

/** Accounts somebody should look after: first password never changed, about to age, below the rule, locked by wrong passwords. */
export const account_concerns = ['unchanged', 'expiring', 'weak', 'locked'] as const
export type AccountConcern = (typeof account_concerns)[number]

/** Days before its end at which a password counts as expiring. */
export const expiring_days = 14

/** How many accounts of each concern the caller's departments have. */
export const AccountGauges = z.object({ unchanged: z.number().int(), expiring: z.number().int(), weak: z.number().int(), locked: z.number().int() })
export type AccountGauges = z.output<typeof AccountGauges>

/** `since`: when the password was set; `until`: when it ends, or the lock. */
export const ConcernRow = z.object({
  user_id: UserId,
  user_no: z.string(),
  user_name: z.string(),
  dept_name: z.string().nullable(),
  username: z.string(),
  since: Instant.nullable(),
  until: Instant.nullable(),
  /** refused with 6007 until a super administrator resets it */
  is_vulnerable: z.boolean(),
  /** whether the caller may reset or unlock it, as far as this school knows */
  can_act: z.boolean(),
})
export type ConcernRow = z.output<typeof ConcernRow>

/** An account as who administers it sees it. `refused`: why it may not be reset, unlocked or disabled here; null when it may. */
export const AccountView = z.object({
  user_id: UserId,
  user_no: z.string(),
  user_name: z.string(),
  dept_name: z.string().nullable(),
  username: z.string().nullable(),
  account_state: z.enum(account_states),
  /** 1 own, 2 first, 3 reset */
  pwd_state: z.number().int(),
  pwd_set_at: Instant.nullable(),
  locked_until: Instant.nullable(),
  is_vulnerable: z.boolean(),
  /** live sessions in this school */
  sessions: z.number().int(),
  last_login_at: Instant.nullable(),
  refused: z.string().nullable(),
})

const need = 'identity.account.manage'

/** Accounts of people of the school, within the caller's departments (chapter 10 §4, R10). */
export const accountApi = api('web', 'identity.account', {
  state: get('account/state', { query: z.object({ user_id: UserId }), reply: AccountView, need, within: 'dept' }),
  gauges: get('account/gauges', { reply: AccountGauges, need, within: 'dept' }),
  concerns: get('account/concerns', { query: PageQuery.extend({ concern: z.enum(account_concerns) }), reply: page(ConcernRow), need, within: 'dept' }),
  unlock: post('account/unlock', { body: Whom, reply: Done, need, within: 'dept', op: 4 }),
  disable: post('account/disable', { body: Whom, reply: z.object({ sessions: z.number().int() }), need, within: 'dept', op: 4 }),
  enable: post('account/enable', { body: Whom, reply: Done, need, within: 'dept', op: 4 }),
  kick: post('account/kick', { body: Whom, reply: z.object({ sessions: z.number().int() }), need, within: 'dept', op: 4 }),
  /** New one-time passwords for many people, printed by a job of people's; `count`: of these the caller reaches, no password is answered. */
  setSysPwd: post('userInfo/setSysPwd', { body: z.strictObject({ user_ids: z.array(UserId).min(1, '请选择人员').max(2000, '一次最多2000人') }), reply: z.object({ job_no: z.uuid(), count: z.number().int() }), need, within: 'dept', op: 10 }),
  /** The one call that answers a password that works: it is shown once and stored nowhere. */
  reset: post('userInfo/resetPwd', { body: Whom, reply: z.object({ user_name: z.string(), username: z.string(), password: z.string() }), need, within: 'dept', op: 10, tells_secret: true }),
})
