import { api, get, Instant, post } from '@kit/contract'
import { z } from 'zod'

/** `1001-` and 256 bits: the school and the secret of one person's link. */
export const FaceToken = z.string().regex(/^[0-9]{1,9}-[0-9a-f]{64}$/, { error: '链接不完整，请重新打开学校发送的链接' })

/** Before the check: who asks, for whom, and what has to be typed; null: the school knows nothing to compare with. */
const Closed = z.object({
  kind: z.literal('closed'),
  school_name: z.string(),
  user_name: z.string(),
  is_child: z.boolean(),
  by: z.enum(['id_no', 'mobile']).nullable(),
})
/** After it: the photograph, the protocol, and what was answered. */
const Opened = z.object({
  kind: z.literal('open'),
  school_name: z.string(),
  user_name: z.string(),
  is_child: z.boolean(),
  state: z.enum(['asked', 'waiting_other', 'given', 'refused']),
  may_answer: z.boolean(),
  has_signed: z.boolean(),
  has_face: z.boolean(),
  photo: z.string().nullable(),
  protocol: z.object({ version: z.number().int(), title: z.string(), text: z.string() }),
  devices_total: z.number().int(),
  receipt: z.string().nullable(),
  answered_at: Instant.nullable(),
  expires_at: Instant,
})
export const FaceLink = z.discriminatedUnion('kind', [Closed, Opened])
export type FaceLink = z.output<typeof FaceLink>

const tail = z
  .string({ error: '请填写后四位' })
  .trim()
  .toUpperCase()
  .regex(/^[0-9A-Z]{4}$/, { error: '请填写后四位数字或字母' })
export const FaceLinkAct = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('check'), tail }),
  z.strictObject({
    act: z.literal('answer'),
    tail,
    answer: z.number().int().min(1, { error: '请选择同意或不同意' }).max(2),
    protocol_version: z.number().int(),
  }),
  z.strictObject({ act: z.literal('withdraw'), tail }),
  z.strictObject({ act: z.literal('notme'), tail }),
])
export type FaceLinkAct = z.output<typeof FaceLinkAct>

const open = '本人或监护人确认页，签名链接'
const ByToken = z.object({ token: FaceToken })

/** The answer by a link: every act proves anew who sends it (chapter 40 §4). */
export const faceLinkApi = api('web', 'faces.link', {
  look: get('m/face/:token', { params: ByToken, reply: FaceLink, open }),
  act: post('m/face/:token', { params: ByToken, body: FaceLinkAct, reply: Opened, open }),
})
