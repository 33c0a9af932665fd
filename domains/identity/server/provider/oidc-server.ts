import { mayCallHost } from '@kit/server/config'
import type { App } from '@kit/server/http'
import { createLocalJWKSet } from 'jose'
import { z } from 'zod'
import { ProviderFault } from './fault.ts'
import { askProvider, readAs } from './outbound.ts'

const Facts = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
})
export type ServerFacts = z.output<typeof Facts>
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1).max(50) })

const kept_ms = 10 * 60_000
type Kept = { facts: ServerFacts; until: number }
const known = new WeakMap<App, Map<string, Kept>>()

/**
 * What an OpenID provider says of itself (OpenID Connect Discovery 1.0), kept for ten minutes. The issuer must be the one that was asked, every
 * address on a host that the operator has named, encrypted but on this very machine in development.
 * @throws ProviderFault
 */
export async function discover(app: App, issuer: string, now: Date): Promise<ServerFacts> {
  const kept = keptOf(app).get(issuer)
  if (kept && kept.until > now.getTime()) return kept.facts
  requireReachable(app, issuer)
  const { status, body } = await askProvider(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const nothing = '认证服务地址下没有找到 OpenID Connect 配置'
  if (status !== 200) throw new ProviderFault('refused', nothing)
  const facts = readAs(Facts, body, nothing)
  if (facts.issuer !== issuer) throw new ProviderFault('refused', '认证服务声明的签发者与设置不一致')
  for (const address of [facts.authorization_endpoint, facts.token_endpoint, facts.jwks_uri, facts.userinfo_endpoint ?? issuer]) requireReachable(app, address)
  keptOf(app).set(issuer, { facts, until: now.getTime() + kept_ms })
  return facts
}

/** The keys of the provider as they are now. @throws ProviderFault */
export async function readKeys({ jwks_uri }: ServerFacts): Promise<ReturnType<typeof createLocalJWKSet>> {
  const { body } = await askProvider(jwks_uri)
  return createLocalJWKSet(readAs(Keys, body, '认证服务没有给出签名公钥'))
}

/** Whether a school may name this issuer at all. */
export function isReachable({ config }: Pick<App, 'config'>, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const is_plain = config.CAMPUS_ENV === 'test' || config.CAMPUS_ENV === 'dev'
  return (protocol === 'https:' || (is_plain && protocol === 'http:')) && mayCallHost(config, hostname)
}

function requireReachable(app: App, address: string): void {
  if (!isReachable(app, address)) throw new ProviderFault('refused', '认证服务所在主机未放行，请联系平台管理员（CAMPUS_OUTSIDE_HOSTS）')
}

function keptOf(app: App): Map<string, Kept> {
  const kept = known.get(app) ?? new Map<string, Kept>()
  known.set(app, kept)
  return kept
}
