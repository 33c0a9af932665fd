import type { App } from '@kit/server/http'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

const audience = 'campus-realtime'
const algorithm = 'HS256'
const token_minutes = 10

/** What the ticket of one connection says; the session it names is looked up all the same. */
const Ticket = z.object({ sub: z.string(), sid: z.uuid(), school_id: z.number().int(), role_no: z.string(), client_id: z.string() })
export type Ticket = z.output<typeof Ticket>

/** Signs the ticket of a connection, good for ten minutes. */
export async function signTicket({ secrets }: App, { sub, ...rest }: Ticket, now: Date): Promise<{ token: string; expire_at: Date }> {
  const expire_at = new Date(now.getTime() + token_minutes * 60_000)
  const token = await new SignJWT(rest).setProtectedHeader({ alg: algorithm }).setSubject(sub).setAudience(audience).setIssuedAt(now).setExpirationTime(expire_at).sign(secrets.token_key)
  return { token, expire_at }
}

/** What a good ticket says, and until when; null for anything else. */
export async function readTicket({ secrets }: App, token: string, now: Date): Promise<(Ticket & { until: number }) | null> {
  try {
    const { payload } = await jwtVerify(token, secrets.token_key, { algorithms: [algorithm], audience, currentDate: now, requiredClaims: ['exp', 'sub'] })
    const ticket = Ticket.safeParse(payload).data
    return ticket ? { ...ticket, until: (payload.exp ?? 0) * 1000 } : null
  } catch {
    return null
  }
}
