import { ask } from '../call.ts'
import type { Answer } from '../call.ts'
import { readStored } from '../storage.ts'

/** What a provider said before anybody here was known: it may be bound after a password login. */
export type Offer = { bind_token: string; label: string }

/** The offer in a refusal, if there is one. */
export function readOffer(data: unknown): Offer | null {
  if (typeof data !== 'object' || data === null || !('bind_token' in data) || !('label' in data)) return null
  return typeof data.bind_token === 'string' && typeof data.label === 'string' ? { bind_token: data.bind_token, label: data.label } : null
}

/** Binds it to who has just signed in. */
export function postBind({ bind_token }: Offer): Promise<Answer<object>> {
  return ask({ method: 'POST', path: '/web/auth/provider/bind', body: { bind_token }, token: readStored('token') ?? '' })
}
