import { api, Done, get, id, Instant, post, redirect, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { LoginReply } from './login.ts'
import { provider_adapters, provider_shapes } from './provider-fact.ts'

const Sent = z.string().min(1).max(2000)
const open = '从第三方登录返回，用其凭证换取登录，尚无登录态'

/** What may be bound after a password login, in `data` of the refusal `identity.notBound`. */
export const BindOffer = z.object({ bind_token: z.string(), label: z.string() })
export type BindOffer = z.output<typeof BindOffer>

/** A way to sign in that somebody has bound to himself. */
export const OwnBind = z.object({ adapter: z.enum(provider_adapters), label: z.string(), bound_at: Instant })

/** The four automatic sign-ins with the parameters of their shapes, the way out to a provider, and what a person has bound (chapter 10 §4). */
export const providerLoginApi = api('web', 'identity.provider_login', {
  autoLogin: post('auth/cloud_auth/auto_login', { body: z.object({ wxcode: Sent, state: Sent, auto_login: Sent }), reply: LoginReply, open, op: 1 }),
  weixiao: post('auth/weixiao_login/form/login', { body: z.object({ appid: Sent, code: Sent, state: Sent.optional() }), reply: LoginReply, open, op: 1 }),
  third: post('auth/common_login/third/login', { body: z.object({ code: Sent, type: Sent, token: Sent }), reply: LoginReply, open, op: 1 }),
  form: post('auth/common_login/form/login', { body: z.object({ code: Sent, school_id: SchoolId }), reply: LoginReply, open, op: 1 }),
  start: get('auth/provider/start', {
    query: z.object({ school_id: SchoolId, shape: z.enum(provider_shapes), adapter: z.enum(provider_adapters).optional() }),
    reply: redirect,
    open: '从登录页前往第三方登录，尚无登录态',
  }),
  bind: post('auth/provider/bind', { body: z.object({ bind_token: z.string().min(1).max(200) }), reply: z.object({ label: z.string() }), session: true, within: 'self', op: 4 }),
  mine: get('auth/provider/mine', { reply: z.object({ list: z.array(OwnBind) }), session: true, within: 'self' }),
  unbind: post('auth/provider/unbind', { body: z.object({ adapter: z.enum(provider_adapters) }), reply: Done, session: true, within: 'self', op: 4 }),
  /** A link that signs this person in once; whoever may reset his password may make one. */
  oneTimeCode: post('auth/provider/one_time_code', {
    body: z.object({ user_id: id('identity.account') }),
    reply: z.object({ user_name: z.string(), code: z.string(), address: z.string(), expire_at: Instant }),
    need: 'identity.account.manage',
    within: 'dept',
    op: 10,
  }),
})
