import { loadConfig } from '@kit/server/config'
import type { App } from '@kit/server/http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TripDesk, Line } from './adapter.ts'
import { oidc } from './oidc.ts'
import { startOpenidProvider } from './testing/openid-provider.ts'
import type { OpenidProvider } from './testing/openid-provider.ts'
import { startPlatform } from './testing/platform.ts'
import { Trip } from './trip.ts'

const callback = 'https://campus.example.cn/1001?type=oidc'
const [client_id, secret, state] = ['campus', 'a secret, with: signs', 'AAAAAAAAAAAAAAAAAAAAAA']
let real: OpenidProvider

beforeAll(async () => {
  real = await startOpenidProvider({ client_id, secret, callback })
})
afterAll(() => real.close())

/** What the adapter needs of a running server. */
function desk(settings: Record<string, string> = {}): TripDesk {
  const config = loadConfig({ CAMPUS_ENV: 'test', ...settings })
  const app: Pick<App, 'config' | 'secrets'> = { config, secrets: { token_key: Buffer.alloc(32, 1), data_key: Buffer.alloc(32), id_index_key: Buffer.alloc(32), seal_key: Buffer.alloc(32), sm2_key: Buffer.alloc(32) } }
  return { app: Object.assign(Object.create(null), app), now: new Date(), device_label: '', trip: new Trip() }
}

const line = (issuer: string): Line => ({ school_id: 1001, shape: 'C', adapter: 'oidc', secret, callback, wants_phone: true, settings: { issuer, client_id, scope: 'openid profile phone', user_no_claim: 'preferred_username' } })

test('a real OpenID provider: discovery, PKCE, nonce, verified id_token, userinfo', async () => {
  const here = desk()
  const out = await oidc.start(here, line(real.issuer), state)
  const asked = new URL(out).searchParams
  expect([asked.get('code_challenge_method'), asked.get('state'), asked.get('response_type')]).toEqual(['S256', state, 'code'])
  const back = await real.signIn(out, 'T0001')
  expect(back.searchParams.get('state')).toBe(state)
  const code = back.searchParams.get('code') ?? ''
  expect(await oidc.exchange(here, line(real.issuer), { code, state })).toEqual({ external_id: `${real.issuer}|T0001`, user_no: 'T0001', phone: '13800000000' })
  expect(here.trip.steps.map(step => [step.name, step.ok])).toEqual([['读取认证服务配置', true], ['读取认证服务配置', true], ['换取身份令牌', true], ['验证身份令牌', true], ['读取人员信息', true]])
  await expect(oidc.exchange(desk(), line(real.issuer), { code, state })).rejects.toThrow('登录凭证无效或已使用')
})

test('a code that was fetched with another state is of no use: PKCE', async () => {
  const back = await real.signIn(await oidc.start(desk(), line(real.issuer), state), 'T0001')
  await expect(oidc.exchange(desk(), line(real.issuer), { code: back.searchParams.get('code') ?? '', state: 'B'.repeat(22) })).rejects.toThrow('登录凭证无效或已使用')
})

test('a wrong client secret is told apart', async () => {
  const back = await real.signIn(await oidc.start(desk(), line(real.issuer), state), 'T0001')
  await expect(oidc.exchange(desk(), { ...line(real.issuer), secret: 'wrong' }, { code: back.searchParams.get('code') ?? '', state })).rejects.toThrow('客户端ID或密钥不正确')
})

test('hosts that the operator has not named are never asked', async () => {
  const closed = desk()
  await expect(oidc.start(closed, line('https://sso.example.cn'), state)).rejects.toThrow('未放行')
  await expect(oidc.start(closed, line('http://169.254.169.254/latest'), state)).rejects.toThrow('未放行')
})

test.each([
  ['a wrong nonce', { nonce: 'another' }, 'nonce 不一致'],
  ['a missing nonce', { nonce: undefined }, 'nonce 不正确'],
  ['an expired token', { iat: -1200, exp: -600 }, '已过期'],
  ['a token signed long ago', { iat: -1200 }, '已过期'],
  ['a token from the future', { iat: 1200, exp: 2400 }, 'iat 不正确'],
  ['a foreign issuer', { iss: 'https://evil.example.cn' }, 'iss 不正确'],
  ['another audience', { aud: 'somebody-else' }, 'aud 不正确'],
  ['several audiences without azp', { aud: [client_id, 'somebody-else'] }, '多个客户端'],
  ['a wrong signature', { signer: 'another' }, '签名不正确'],
  ['a key by the client secret', { signer: 'secret' }, '无法识别'],
  ['no signature', { signer: 'none' }, '无法识别'],
] as const)('%s is refused', async (_name, forged, reason) => {
  const forger = await startForger(forged)
  const here = desk()
  const out = new URL(await oidc.start(here, line(forger.issuer), state))
  forger.nonce = out.searchParams.get('nonce') ?? ''
  await expect(oidc.exchange(here, line(forger.issuer), { code: 'c', state })).rejects.toThrow(reason)
  await forger.close()
})

test('a provider that names another issuer, or addresses on hosts nobody named, is refused', async () => {
  for (const [fact, address] of [['issuer', 'https://evil.example.cn'], ['token_endpoint', 'https://evil.example.cn/token'], ['jwks_uri', 'http://10.0.0.1/keys']] as const) {
    const forger = await startForger({}, { [fact]: address })
    await expect(oidc.start(desk(), line(forger.issuer), state)).rejects.toThrow(/不一致|未放行/)
    await forger.close()
  }
})

type Forged = { nonce?: string; iat?: number; exp?: number; iss?: string; aud?: string | readonly string[]; signer?: 'another' | 'secret' | 'none' }

/** An OpenID provider that signs whatever it is told to. */
async function startForger(forged: Forged, facts: Record<string, string> = {}) {
  const [good, another] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(good.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const platform = await startPlatform(() => ({}))
  const issuer = platform.url
  const forger = { issuer, nonce: '', close: platform.close }
  platform.answer = async ({ path }) => {
    if (path.startsWith('/.well-known')) return { body: { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys`, ...facts } }
    if (path === '/keys') return { body: { keys: [jwk] } }
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: 'T0001', nonce: 'nonce' in forged ? forged.nonce : forger.nonce, iss: forged.iss ?? issuer, aud: forged.aud ?? client_id, iat: now + (forged.iat ?? 0), exp: now + (forged.exp ?? 300) }
    if (forged.signer === 'none') return { body: { id_token: `${encoded({ alg: 'none' })}.${encoded(claims)}.` } }
    const text = JSON.parse(JSON.stringify(claims))
    if (forged.signer === 'secret') return { body: { id_token: await new SignJWT(text).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret.padEnd(32))) } }
    return { body: { id_token: await new SignJWT(text).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(forged.signer === 'another' ? another.privateKey : good.privateKey) } }
  }
  return forger
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
