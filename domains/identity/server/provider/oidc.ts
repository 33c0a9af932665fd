import { createHash, createHmac } from 'node:crypto'
import type { App } from '@kit/server/http'
import { errors, jwtVerify } from 'jose'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { masked } from './adapter.ts'
import type { Adapter, Line } from './adapter.ts'
import { ProviderFault } from './fault.ts'
import { discover, readKeys } from './oidc-server.ts'
import type { ServerFacts } from './oidc-server.ts'
import { askProvider, formOf, readAs } from './outbound.ts'

/** Asymmetric ones alone: a signature by the client's secret could be made by whoever knows the secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const tolerance_s = 60
const oldest_s = 600

const Tokens = z.object({ id_token: z.string().min(1), access_token: z.string().optional() })
const Claims = z.object({ sub: z.string().min(1).max(255), phone_number: z.string().optional(), phone_number_verified: z.boolean().optional() })

/** OpenID Connect, authorization code with PKCE and nonce; who it is stands in the verified id_token (OpenID Connect Core 1.0 §3.1). */
export const oidc: Adapter = {
  async start({ app, now, trip }, { settings, callback }, state) {
    const { issuer = '', client_id = '', scope = '' } = settings
    const facts = await trip.step('读取认证服务配置', () => discover(app, issuer, now))
    const challenge = createHash('sha256').update(verifierOf(app, state)).digest('base64url')
    const query = { response_type: 'code', client_id, redirect_uri: callback, scope, state, nonce: nonceOf(app, state), code_challenge: challenge, code_challenge_method: 'S256' }
    const address = new URL(facts.authorization_endpoint)
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return address.href
  },

  async exchange({ app, now, trip }, line, { code, state }) {
    const { issuer = '', client_id = '', user_no_claim = '' } = line.settings
    const facts = await trip.step('读取认证服务配置', () => discover(app, issuer, now))
    const { id_token, access_token } = await trip.step('换取身份令牌', () => redeem(facts, line, code, verifierOf(app, state)))
    const claims = await trip.step('验证身份令牌', () => verify(facts, id_token, { client_id, nonce: nonceOf(app, state), now }), found => `签名、签发者、受众、有效期、nonce 均正确；账号 ${masked(String(found.sub))}`)
    const is_whole = claims[user_no_claim] !== undefined && (!line.wants_phone || claims.phone_number !== undefined)
    const asks_more = !is_whole && facts.userinfo_endpoint !== undefined && access_token !== undefined
    const more = asks_more ? await trip.step('读取人员信息', () => userInfo(facts.userinfo_endpoint ?? '', access_token ?? '', claims.sub)) : {}
    return vouchedOf(issuer, { ...more, ...claims }, user_no_claim)
  },
}

async function redeem(facts: ServerFacts, { settings, secret, callback }: Line, code: string, code_verifier: string): Promise<z.output<typeof Tokens>> {
  const { client_id = '' } = settings
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier }
  const is_basic = secret !== '' && facts.token_endpoint_auth_methods_supported.includes('client_secret_basic')
  const asked = is_basic ? formOf(form) : formOf({ ...form, client_id, ...(secret === '' ? {} : { client_secret: secret }) })
  // RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
  const authorization = `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(secret)}`).toString('base64')}`
  const { status, body } = await askProvider(facts.token_endpoint, is_basic ? { ...asked, headers: { ...asked.headers, authorization } } : asked)
  if (status !== 200) throw new ProviderFault('refused', refusalOf(body.error))
  return readAs(Tokens, body, refusalOf(undefined))
}

/** What a provider keeps out of the id_token; it must speak of the same person (OpenID Connect Core 1.0 §5.3.2). */
async function userInfo(address: string, access_token: string, sub: string | undefined): Promise<Record<string, unknown>> {
  const { status, body } = await askProvider(address, { headers: { authorization: `Bearer ${access_token}` } })
  if (status !== 200 || body.sub !== sub) throw new ProviderFault('refused', '人员信息与身份令牌不是同一人')
  return body
}

function refusalOf(error: unknown): string {
  if (error === 'invalid_client') return '客户端ID或密钥不正确'
  if (error === 'invalid_grant') return '登录凭证无效或已使用，或回调地址与登记的不一致'
  return '认证服务没有给出身份令牌'
}

/** Signature, issuer, audience, times and nonce; keys are read anew, since a provider may change them any day. */
async function verify(facts: ServerFacts, id_token: string, { client_id, nonce, now }: { client_id: string; nonce: string; now: Date }): Promise<JWTPayload> {
  const keys = await readKeys(facts)
  const options = { issuer: facts.issuer, audience: client_id, algorithms, clockTolerance: tolerance_s, maxTokenAge: oldest_s, currentDate: now, requiredClaims: ['sub', 'exp', 'iat', 'nonce'] }
  const { payload } = await jwtVerify(id_token, keys, options).catch((error: unknown) => {
    throw new ProviderFault('refused', wrongToken(error))
  })
  if (payload.nonce !== nonce) throw new ProviderFault('refused', 'nonce 不一致，令牌不是为本次登录签发的')
  if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== client_id) throw new ProviderFault('refused', '身份令牌签发给了多个客户端')
  return payload
}

function wrongToken(error: unknown): string {
  if (error instanceof errors.JWTExpired) return '身份令牌已过期，请核对服务器时间'
  if (error instanceof errors.JWTClaimValidationFailed) return `身份令牌的 ${error.claim} 不正确`
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) return '身份令牌的签名不正确'
  return '身份令牌无法识别'
}

function vouchedOf(issuer: string, payload: Record<string, unknown>, user_no_claim: string) {
  const { sub, phone_number, phone_number_verified } = readAs(Claims, payload, '身份令牌缺少人员标识')
  const user_no = payload[user_no_claim]
  return {
    external_id: `${issuer}|${sub}`,
    ...(typeof user_no === 'string' && user_no !== '' ? { user_no } : {}),
    ...(phone_number && phone_number_verified === true ? { phone: phone_number } : {}),
  }
}

/** Both follow from the state, of which only a hash is stored: nothing lies anywhere that could be read. */
function nonceOf({ secrets }: App, state: string): string {
  return createHmac('sha256', secrets.token_key).update(`provider.nonce:${state}`).digest('base64url')
}

function verifierOf({ secrets }: App, state: string): string {
  return createHmac('sha256', secrets.token_key).update(`provider.pkce:${state}`).digest('base64url')
}
