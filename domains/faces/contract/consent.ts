import { UserId } from '@campus/people/contract'
import { api, Day, get, Instant, post, put, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { UserIds } from './face.ts'

const default_role = 'SYS003'
const Asked = z.object({ asked: z.number().int(), not_asked: z.array(z.object({ user_id: UserId, msg: z.string() })) })

/** The payload of the product description (00 §5): by whom it is asked stands in the session, so that nobody can agree for somebody else. */
const Status = z.strictObject({
  protocol_code: z.string().max(40), user_role: z.string().max(20).default(default_role), user_id: UserId, user_tel: z.string().max(20).optional(), status: z.number().int().default(1),
  confirm_scene: z.number().int().default(5), confirm_user: z.string().max(64).optional(), school_id: SchoolId,
})

/** What one person sees of his own consent, or of his child's, on the phone. */
const Mine = z.object({
  user_id: UserId, user_name: z.string(), dept_name: z.string().nullable(), is_child: z.boolean(), state: z.enum(['asked', 'given', 'refused', 'none', 'waiting_other']), may_answer: z.boolean(), about: z.string().nullable(),
  photo_url: z.string().nullable(), devices_total: z.number().int(), erasing: z.object({ total: z.number().int(), acked: z.number().int() }).nullable(), answered_at: Instant.nullable(), receipt: z.string().nullable(),
})
export type MyConsent = z.output<typeof Mine>
const Protocol = z.object({ code: z.string(), version: z.number().int(), title: z.string(), text: z.string() })

const view = { need: 'faces.consent.view', within: 'dept' } as const
const request = { need: 'faces.consent.request', within: 'dept' } as const
const paper = { need: 'faces.consent.paper', within: 'dept' } as const

/** Consent to faces (chapter 40 §2.3): staff ask, the person or a guardian answers. */
export const faceConsentApi = api('web', 'faces.consent', {
  setStatus: post('protocol/status/set', { body: Status, reply: z.object({ link_sent: z.boolean(), channel: z.string() }), op: 4, ...request }),
  remind: post('face/consent/remind', { body: z.strictObject({ user_ids: UserIds }), reply: Asked, op: 4, ...request }),
  map: get('face/consent/map', { query: z.object({ kind: z.coerce.number().int().min(1).max(3).default(1) }), reply: z.object({ map: z.record(z.string(), z.number().int()) }), ...view }),
  paper: post('face/consent/paper', { body: z.strictObject({ user_id: UserId, file_key: z.string({ error: '请上传签字扫描件' }).min(1, { error: '请上传签字扫描件' }).max(200) }), reply: z.object({}), op: 4, ...paper }),
  review: post('face/consent/paper/review', { body: z.strictObject({ user_id: UserId, passed: z.boolean() }), reply: z.object({}), op: 4, ...paper }),
  mine: get('face/consent/mine', { reply: z.object({ protocol: Protocol.nullable(), list: z.array(Mine) }), session: true, within: 'self' }),
  answer: post('face/consent/answer', {
    body: z.strictObject({ user_id: UserId, answer: z.number().int().min(1, { error: '请选择同意或不同意' }).max(3), protocol_version: z.number().int() }), reply: z.object({ receipt: z.string() }), session: true, within: 'self', op: 4,
  }),
})

export const FacePolicy = z.strictObject({
  enabled: z.boolean(),
  protocol_title: z.string().trim().max(60, { error: '标题超过60个字' }),
  protocol_text: z.string().trim().max(8000, { error: '正文超过8000个字' }),
  /** the text says something new: everybody is asked again */
  material: z.boolean().default(false),
  assessed_on: Day.nullable(),
  strictness: z.number().int().min(1).max(3),
  dup_threshold: z.number().int().min(50).max(99),
  minor_14_17: z.number().int().min(1).max(2),
  row_version: z.number().int(),
})
const Policy = z.object({ ...FacePolicy.shape, protocol_code: z.string(), protocol_version: z.number().int(), detector: z.object({ ready: z.boolean(), note: z.string() }), counts: z.object({ faces: z.number().int(), pushed: z.number().int() }) })
export type FacePolicy = z.output<typeof Policy>

/** What a school has decided about faces (chapter 40 rule 21). */
export const facePolicyApi = api('web', 'faces.policy', {
  read: get('face/policy', { reply: Policy, need: 'faces.policy.view', within: 'school' }),
  write: put('face/policy', { body: FacePolicy, reply: z.object({}), need: 'faces.policy.edit', within: 'school' }),
})
