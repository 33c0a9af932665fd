import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** How a link is signed: our own way, or plain md5 where a partner cannot do better (chapter 10 N7). */
export type SignMode = 'hmac' | 'md5'

/** What a link says; nothing of it decides who is meant, the ticket behind `nonce` does. */
export type LinkFacts = { user_no: string; timestamp: number; school_id: number; app: string; nonce: string }

/** A link as it was received: its facts, everything that was signed, and the signature. */
export type ReceivedLink = LinkFacts & { signed: ReadonlyMap<string, string>; sign: string }

/** A link is good for five minutes, to both sides of the server's clock. */
export const link_ms = 5 * 60_000

const sign_length = 32

/** The address with its facts and their signature. A partner's own parameters stay and are signed too. */
export function makeLink(address: string, facts: LinkFacts, mode: SignMode, secret: string): string {
  const [path = '', given = ''] = address.split('?')
  const query = new URLSearchParams(given)
  for (const [name, value] of Object.entries(facts)) query.set(name, String(value))
  query.set('sign', signOf(new Map(query), mode, secret))
  return `${path}?${query}`
}

/** Reads the query of a link; null when it is none: something missing, given twice, or of the wrong form. */
export function readLink(text: string): ReceivedLink | null {
  const query = new URLSearchParams(text)
  const signed = new Map(query)
  if (signed.size !== [...query].length) return null
  const sign = signed.get('sign') ?? ''
  signed.delete('sign')
  const [user_no, app, nonce, school_id, timestamp] = ['user_no', 'app', 'nonce', 'school_id', 'timestamp'].map(name => signed.get(name) ?? '')
  if (!user_no || !app || !nonce || !/^\d{1,9}$/.test(school_id ?? '') || !/^\d{13}$/.test(timestamp ?? '') || !/^[0-9a-f]{32}$/.test(sign)) return null
  return { user_no, app, nonce, school_id: Number(school_id), timestamp: Number(timestamp), signed, sign }
}

/** Whether the signature is right; takes the same time for every wrong one. */
export function isSigned({ signed, sign }: ReceivedLink, mode: SignMode, secret: string): boolean {
  return isSame(signOf(signed, mode, secret), sign)
}

/** What a partner's server sends as its credential: that it holds the secret of this very link. */
export function partnerProof(sign: string, secret: string): string {
  return createHmac('sha256', secret).update(`verify:${sign}`).digest('hex')
}

/** Compares two secrets of known length without telling where they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** 32 hex signs over all other parameters, by name, as `name=value` joined by `&`; md5 adds `&key={secret}` at the end. */
export function signOf(signed: ReadonlyMap<string, string>, mode: SignMode, secret: string): string {
  const names = [...signed.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  const text = names.map(name => `${name}=${signed.get(name)}`).join('&')
  if (mode === 'md5') return createHash('md5').update(`${text}&key=${secret}`).digest('hex')
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, sign_length)
}
