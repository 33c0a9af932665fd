import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '@kit/server/http'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

const audiences = { web: 'campus-console', mini: 'mini' } as const
const algorithm = 'HS256'
const token_minutes = { web: 30, mini: 15 } as const

/** What a session token says; nothing in it is believed without the session row. */
const Claims = z.object({ sub: z.string(), sid: z.uuid(), school_id: z.number().int(), role_no: z.string(), app_code: z.string().optional() })
export type Claims = z.output<typeof Claims>

/** Signs a session token of 30 minutes; one of a sub-application, of 15. */
export async function signToken(app: App, claims: Claims, now: Date): Promise<{ token: string; expire_at: Date }> {
  const { sub, ...rest } = claims
  const client = claims.app_code === undefined ? 'web' : 'mini'
  const expire_at = new Date(now.getTime() + token_minutes[client] * 60_000)
  const token = await new SignJWT(rest)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: keyId(app) })
    .setSubject(sub)
    .setAudience(audiences[client])
    .setIssuedAt(now)
    .setExpirationTime(expire_at)
    .sign(app.secrets.token_key)
  return { token, expire_at }
}

/** The claims of a token with a good signature, audience and time; null for anything else. */
export async function readToken(app: App, token: string, now: Date): Promise<Claims | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, app.secrets.token_key, { algorithms: [algorithm], audience: Object.values(audiences), currentDate: now, requiredClaims: ['exp', 'sub'] })
    const claims = protectedHeader.kid === keyId(app) ? Claims.safeParse(payload).data : undefined
    return claims && payload.aud === audiences[claims.app_code === undefined ? 'web' : 'mini'] ? claims : null
  } catch {
    return null
  }
}

/** A session token has three parts, a ticket has one. */
export function looksLikeToken(bearer: string): boolean {
  return bearer.split('.').length === 3
}

export type RefreshSecret = { school_id: number; session_id: string; generation: number }

/**
 * The refresh cookie of a session. The secret is derived from session and generation, so that many tabs that refresh at once are
 * answered with the same successor without storing it (chapter 10 S2).
 */
export function refreshCookie(app: App, { school_id, session_id, generation }: RefreshSecret): string {
  const text = `${school_id}.${session_id}.${generation}`
  return `${text}.${sealOf(app, text)}`
}

/** What a refresh cookie names, or null when we never gave it out. */
export function readRefreshCookie(app: App, cookie: string | undefined): RefreshSecret | null {
  const [school = '', session_id = '', generation = '', seal = ''] = (cookie ?? '').split('.')
  const good = Buffer.from(sealOf(app, `${school}.${session_id}.${generation}`))
  const given = Buffer.from(seal)
  if (given.length !== good.length || !timingSafeEqual(given, good)) return null
  return { school_id: Number(school), session_id, generation: Number(generation) }
}

function sealOf(app: App, text: string): string {
  return createHmac('sha256', app.secrets.token_key).update(`refresh:${text}`).digest('base64url')
}

function keyId(app: App): string {
  return createHash('sha256').update(app.secrets.token_key).digest('hex').slice(0, 8)
}
