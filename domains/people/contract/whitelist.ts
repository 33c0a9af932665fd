import { api, filter, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { checkEmail, checkMobile, foldFullWidth } from '@kit/contract/checks'
import { z } from 'zod'
import { UserId } from './student.ts'

/** Lines in one call of approving or removing. */
export const most_whitelisted = 200
export const whitelist_states = ['pending', 'approved', 'pushing', 'active', 'failed', 'removing', 'removed'] as const
export const whitelist_purposes = ['face_pay', 'recharge'] as const

const WhitelistId = id('people.alipay_whitelist')
const wrong_logon = '支付宝账号应为手机号或邮箱'

/** Null when a text is a login name of Alipay: a mobile or an e-mail address; else what is wrong with it. */
export function logonFault(text: string): string | null {
  return checkMobile(text) === null || checkEmail(text) === null ? null : wrong_logon
}

export const AlipayLogon = z
  .string()
  .trim()
  .min(1, { error: '请填写支付宝账号' })
  .max(60, { error: '超过60个字' })
  .transform(foldFullWidth)
  .refine(text => logonFault(text) === null, { error: wrong_logon })

/** A new line. Without `payer_user_id` the first guardian of a pupil pays; staff pay for themselves. */
export const WhitelistDraft = z.strictObject({
  user_id: UserId,
  payer_user_id: UserId.optional(),
  alipay_logon: AlipayLogon,
  purpose: z.enum(whitelist_purposes),
})

export const WhitelistRow = z.object({
  id: WhitelistId,
  user_id: UserId,
  person_kind: z.number().int(),
  user_name: z.string(),
  user_no: z.string(),
  /** the class or department of today; empty for whoever left */
  dept_name: z.string(),
  payer_user_id: UserId,
  payer_name: z.string(),
  /** masked */
  alipay_logon: z.string(),
  purpose: z.enum(whitelist_purposes),
  state: z.enum(whitelist_states),
  /** what the payment channel said, or what the line waits for */
  channel_msg: z.string().nullable(),
  created_at: Instant,
  created_by_name: z.string(),
  approved_by_name: z.string().nullable(),
  /** entered by the reader, who therefore cannot approve it */
  is_own: z.boolean(),
})
export type WhitelistRow = z.output<typeof WhitelistRow>

/** Somebody who may pay for a person. */
export const Payer = z.object({ user_id: UserId, user_name: z.string(), relation: z.string().nullable(), mobile: z.string().nullable() })
export type Payer = z.output<typeof Payer>

const Ids = z.array(WhitelistId).min(1, { error: '请选择名单' }).max(most_whitelisted, { error: `一次最多处理${most_whitelisted}条` })
const edit = { need: 'people.whitelist.edit', within: 'dept' } as const

/** The Alipay whitelist (chapter 20 §4 Money lists): one person enters, another one approves. */
export const whitelistApi = api('admin', 'people.whitelist', {
  page: get('consume/whitelist/page', {
    query: PageQuery.extend({ keyword: filter(z.string().max(50)), state: filter(z.enum(whitelist_states)), purpose: filter(z.enum(whitelist_purposes)), person_kind: filter(z.coerce.number().int().min(1).max(7)) }),
    reply: page(WhitelistRow),
    ...edit,
  }),
  payers: get('consume/whitelist/payers', { query: z.object({ user_id: UserId }), reply: z.object({ list: z.array(Payer) }), ...edit }),
  add: post('consume/whitelist/add', { body: WhitelistDraft, reply: z.object({ id: WhitelistId }), ...edit }),
  approve: post('consume/whitelist/approve', { body: z.strictObject({ ids: Ids }), reply: z.object({ approved: z.number().int(), pushed: z.number().int() }), need: 'people.whitelist.approve', within: 'dept', op: 8 }),
  remove: post('consume/whitelist/remove', {
    body: z.strictObject({ ids: Ids, reason: z.string().trim().min(1, { error: '请填写原因' }).max(100, { error: '超过100个字' }) }),
    reply: z.object({ removed: z.number().int(), removing: z.number().int() }),
    op: 5,
    ...edit,
  }),
})
