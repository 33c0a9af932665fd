import { api, get, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { Mobile, Plate, VisitorName } from './visit.ts'

/** `1001-` and 128 bits: the school and the secret of its booking page, or of one visit. */
export const VisitToken = z.string().regex(/^[0-9]{1,9}-[0-9a-f]{32}$/, { error: '链接不完整，请重新扫码或向学校索取' })

/** The booking page: what the school asks for. */
const Book = z.object({
  kind: z.literal('book'), school_name: z.string(), is_open: z.boolean(), notice: z.string(), advance_days: z.number().int(), max_minutes: z.number().int(), open_from: z.string(), open_to: z.string(),
  follower_max: z.number().int(), need_plate: z.boolean(), need_company: z.boolean(), reasons: z.array(z.object({ reason_code: z.string(), reason_name: z.string(), default_minutes: z.number().int() })),
})
/** One visit, for its visitor alone; code and QR while it is live. */
const Pass = z.object({
  kind: z.literal('pass'), school_name: z.string(), token: z.string(), apply_no: z.string(), state: z.number().int(), state_label: z.string(), visitor_name: z.string(), host: z.string(), begin_at: Instant, end_at: Instant, route: z.string(),
  pass_code: z.string().nullable(), qr: z.string().nullable(), may_cancel: z.boolean(),
})
export const VisitPublic = z.discriminatedUnion('kind', [Book, Pass])
export type VisitPublic = z.output<typeof VisitPublic>

const Host = { receiver: z.string({ error: '请填写被访人姓名' }).trim().min(1, { error: '请填写被访人姓名' }).max(50), receiver_dept: z.string({ error: '请填写被访人部门' }).trim().min(1, { error: '请填写被访人部门' }).max(60) }
export const VisitAct = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('receiver_check'), ...Host }),
  z.strictObject({
    act: z.literal('apply'), ...Host, visitor_name: VisitorName, mobile: Mobile, company: z.string().trim().max(60, { error: '超过60个字' }).default(''), reason_code: z.string({ error: '请选择事由' }).min(1, { error: '请选择事由' }).max(10),
    reason_text: z.string().trim().max(100, { error: '超过100个字' }).default(''), followers: z.number({ error: '请填写人数' }).int().min(0).max(50).default(0), plate: Plate, begin_at: Instant, end_at: Instant, cap_key: z.uuid(), captcha: z.string().max(10),
  }),
  z.strictObject({ act: z.literal('cancel') }),
])
export type VisitAct = z.output<typeof VisitAct>
const Answer = z.object({ is_known: z.boolean().nullable(), visit: Pass.nullable() })

const visitors = '访客自助预约，无账号'
const ByToken = z.object({ token: VisitToken })
/** The two public calls of access (chapter 35 §4). */
export const visitPublicApi = api('v2', 'access.visit_public', {
  look: get('visitor/public/:token', { params: ByToken, reply: VisitPublic, open: visitors }),
  act: post('visitor/public/:token', { params: ByToken, body: VisitAct, reply: Answer, open: visitors }),
})
