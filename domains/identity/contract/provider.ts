import { api, del, Done, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { match_kinds, provider_adapters, provider_icons, provider_shapes } from './provider-fact.ts'

/** What stands in place of a secret that is there; sent back it leaves the secret as it is. */
export const provider_kept_secret = '●●●●'

const need = 'school.provider.edit'
/** The proof of `check_self_password`; only turning a way on or off goes without. */
const Recheck = { recheck_token: z.string().max(200).optional() }
const Key = z.object({ shape: z.enum(provider_shapes), adapter: z.enum(provider_adapters) })

export const ProviderDraft = z.object({
  enabled: z.boolean(),
  label: z.string().trim().min(1, '请填写显示名称').max(20, '显示名称不能超过20个字'),
  icon: z.enum(provider_icons),
  match_by: z.enum(match_kinds),
  settings: z.record(z.string().max(40), z.string().max(300)).refine(all => Object.keys(all).length <= 20),
  /** key of the provider; write-only */
  secret: z.string().max(500, '密钥不能超过500个字'),
})

/** A way to sign in as the school has set it. `problem`: why it cannot be used as it stands; `callback` is what the provider must be told. */
export const ProviderRow = Key.extend({
  ...ProviderDraft.shape,
  row_version: z.number().int(),
  bound: z.number().int(),
  callback: z.string(),
  problem: z.string().nullable(),
})
export type ProviderRow = z.output<typeof ProviderRow>

/** One step of a trip to a provider and back; `detail` holds no secret, code or token. */
export const ProviderStep = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })
export type ProviderStep = z.output<typeof ProviderStep>

/** How far a test has come. `url` is opened in another window; null when there is nowhere to go. */
export const ProviderTest = z.object({ test_no: z.string(), url: z.string().nullable(), is_over: z.boolean(), steps: z.array(ProviderStep) })

/** Somebody whose account of an outside system is known; of its id only the end is shown. */
export const BoundRow = z.object({
  user_id: id('identity.account'),
  user_name: z.string(),
  user_no: z.string(),
  external_tail: z.string(),
  bound_at: Instant,
  /** null: he himself */
  bound_by_name: z.string().nullable(),
})
export type BoundRow = z.output<typeof BoundRow>

/** Ways to sign in of a school (chapter 10 §4 Administration, §5 登录方式). */
export const providerApi = api('web', 'identity.provider', {
  list: get('login_provider', { reply: z.object({ list: z.array(ProviderRow), adapters: z.array(z.enum(provider_adapters)) }), need }),
  create: post('login_provider', { body: Key.extend({ ...ProviderDraft.shape, ...Recheck }), reply: ProviderRow, need }),
  update: put('login_provider/:shape/:adapter', { params: Key, body: ProviderDraft.extend({ row_version: z.number().int(), ...Recheck }), reply: ProviderRow, need }),
  remove: del('login_provider/:shape/:adapter', { params: Key, query: z.object({ row_version: z.coerce.number().int() }), reply: z.object({ unbound: z.number().int() }), need }),
  test: post('login_provider/test', { body: Key, op: 4, reply: ProviderTest, need }),
  testResult: get('login_provider/test/:test_no', { params: z.object({ test_no: z.string().max(100) }), reply: ProviderTest.omit({ url: true }), need }),
  bound: get('login_provider/bound', { query: PageQuery.extend({ adapter: z.enum(provider_adapters) }), reply: page(BoundRow), need }),
  unbind: post('login_provider/unbind', { body: z.object({ adapter: z.enum(provider_adapters), user_id: id('identity.account') }), op: 5, reply: Done, need }),
})
