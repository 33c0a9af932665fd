import { sub_app_codes } from '@campus/school/contract'
import { api, Done, failures, get, id, Instant, post, SchoolId } from '@kit/contract'
import { z } from 'zod'

/** Failures of signed links and of the sessions that come of them (chapter 80 §2); every broken link says the same. */
export const miniErrors = failures('mini', {
  linkStale: [401, '链接已失效，请返回后重新打开'],
  wrongApp: [403, '无权限查看'],
  /** the partner's own sentence stands in its place where it gave one */
  thirdToken: [422, '系统异常，请稍后重试'],
  aiHelpOff: [409, 'AI 助手未开启，请联系管理员'],
})

/** Refusals in the name of the service behind the four cloud sub-applications. */
export const cloudErrors = failures('finance', { cloud_not_initialised: [409, '系统参数未进行初始化，请联系管理员'] })

const Code = z.enum(sub_app_codes)

/** A child of the person, as the school's archive knows it today; `head_teacher` of its class. */
export const FamilyChild = z.object({ user_id: id('identity.account'), name: z.string(), dept_name: z.string(), school_name: z.string(), is_guardian: z.boolean(), head_teacher: z.string().nullable() })
export type FamilyChild = z.output<typeof FamilyChild>

/** A sub-application another one may lead to; `address` = a partner's pages. */
export const SubAppTile = z.object({ code: Code, title: z.string(), is_partner: z.boolean() })

/** The session of one sub-application: one app, one user, one school. The token lives in memory only, 15 minutes. */
export const MiniSession = z.object({
  token: z.string(),
  expire_at: Instant,
  me: z.object({
    user_id: id('identity.account'),
    user_no: z.string(),
    user_name: z.string(),
    /** PERSON_KIND: 1 pupil, 2 teacher, 3 parent, 6 employee … */
    user_kind: z.number().int(),
    dept_name: z.string().nullable(),
    role_name: z.string(),
    role_group: z.string(),
    /** of a pupil's own class */
    head_teacher: z.string().nullable(),
    children: z.array(FamilyChild),
  }),
  app: z.object({ code: Code, title: z.string(), features: z.array(z.string()) }),
  school: z.object({ school_id: z.number().int(), school_name: z.string(), school_type: z.number().int(), logo: z.string().nullable() }),
  docs_to_accept: z.array(z.object({ code: z.string(), version: z.number().int(), title: z.string() })),
})
export type MiniSession = z.output<typeof MiniSession>

/** What a partner's server learns of the person whose link it was given; no session of ours. */
export const PartnerView = z.object({ user_no: z.string(), school_id: z.number().int(), app: z.string(), name: z.string(), kind: z.number().int() })

/**
 * Signed links and the sessions of sub-applications (chapters 10 N7, 80 M1–M11). `verify` takes the query of a link as it stood in the
 * address. A partner's server sends the same with `Authorization: {HMAC-SHA256 of "verify:" and the link's sign, hex, under the shared
 * secret}` and gets a PartnerView.
 */
export const subAppApi = api('web', 'identity.sub_app', {
  link: get('sub_app/link', { query: z.object({ code: Code }), reply: z.object({ url: z.string(), expire_at: Instant }), session: true, within: 'self' }),
  thirdToken: get('sub_app/third_token', { query: z.object({ code: Code }), reply: z.object({ token: z.string() }), session: true, within: 'self' }),
  manifest: get('sub_app/manifest', {
    reply: z.object({ code: Code, title: z.string(), pages: z.array(z.string()), features: z.array(z.string()), apps: z.array(SubAppTile) }),
    session: true,
    within: 'self',
  }),
  verify: post('sub_app/verify', { body: z.strictObject({ query: z.string().max(2000) }), reply: z.union([MiniSession, PartnerView]), auth: 'app', op: 1 }),
  refresh: post('sub_app/refresh', { body: z.strictObject({ app: Code }), reply: MiniSession, auth: 'app', op: 1 }),
  leave: post('sub_app/leave', { reply: Done, session: true, within: 'self', op: 2 }),
})

/** Whether the service behind the four cloud sub-applications was set up in the school. */
export const cloudFeeApi = api('web', 'identity.cloud_fee', {
  enable: get('system/cloud_fee/enable', { query: z.object({ school_id: SchoolId }), reply: z.object({ enable: z.number().int() }), session: true, within: 'self' }),
})

/** Where the AI help of the school is, for this person and ten minutes (chapter 10 N8). Always an address of our own. */
export const aiHelpApi = api('web', 'identity.ai_help', {
  frame: get('ai_help/frame', { reply: z.object({ url: z.string(), is_partner: z.boolean() }), session: true, within: 'self' }),
})
