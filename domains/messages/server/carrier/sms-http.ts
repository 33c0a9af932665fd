import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { patience_ms } from './carrier.ts'
import type { Carrier, Parcel, Receipts } from './carrier.ts'
import { sameText } from './same-text.ts'

const Settings = z.object({
  url: z.url({ protocol: /^https?$/ }),
  content_type: z.enum(['application/json', 'application/x-www-form-urlencoded']).default('application/json'),
  /** body of the request; {mobile} {title} {text} {template} {secret} are filled in */
  body: z.string().min(1),
  /** value of the header Authorization, filled likewise */
  authorization: z.string().default(''),
  /** what the answer must hold when the provider has taken the message; empty = the status alone counts */
  ok_text: z.string().default(''),
  /** where in the answer the provider's number of the message stands, dots between the names: `data.biz_id` */
  id_field: z.string().default(''),
  /** where a receipt holds that number, its state, and what the state says of one that has arrived */
  receipt_id: z.string().default(''),
  receipt_state: z.string().default(''),
  receipt_ok: z.string().default(''),
  /** the header with the signature: HMAC-SHA256 of the body, in hex */
  receipt_header: z.string().default('x-signature'),
})

/** Short messages by any provider that takes one HTTP POST a message. */
export const smsHttp: Carrier = {
  adapter: 'sms_http',
  isReady: ({ settings }) => Settings.safeParse(settings).success,
  hostOf: ({ settings }) => new URL(Settings.parse(settings).url).hostname,
  async send({ settings, secret }, parcel) {
    const { url, content_type, body, authorization, ok_text, id_field } = Settings.parse(settings)
    const escape = content_type === 'application/json' ? jsonText : encodeURIComponent
    const headers = { 'content-type': content_type, ...(authorization === '' ? {} : { authorization: fill(authorization, parcel, secret, String) }) }
    const answer = await fetch(url, { method: 'POST', headers, body: fill(body, parcel, secret, escape), redirect: 'error', signal: AbortSignal.timeout(patience_ms) }).catch(() => {
      throw new Error('provider: no answer')
    })
    const text = await answer.text()
    if (!answer.ok || !text.includes(ok_text)) throw new Error(`provider: refused with ${answer.status}`)
    return { provider_id: id_field === '' ? null : textAt(readJson(text), id_field) }
  },
  receipts: {
    isSigned({ settings }, secret, { body, headers }) {
      const given = headers[Settings.shape.receipt_header.parse(settings.receipt_header).toLowerCase()]
      return sameText(String(given ?? '').toLowerCase(), createHmac('sha256', secret).update(body).digest('hex'))
    },
    read: ({ settings }, { body }) => receiptsIn(Settings.safeParse(settings).data, body),
    answer: 'success',
  },
}

/** One receipt, or a list of them. */
function receiptsIn(settings: z.output<typeof Settings> | undefined, body: string): ReturnType<Receipts['read']> {
  if (!settings || settings.receipt_id === '' || settings.receipt_state === '') return []
  const { receipt_id, receipt_state, receipt_ok } = settings
  const told = readJson(body)
  return (Array.isArray(told) ? told : [told]).flatMap((one: unknown) => {
    const [provider_id, state] = [textAt(one, receipt_id), textAt(one, receipt_state)]
    return provider_id === null || state === null ? [] : [{ provider_id, reason: state === receipt_ok ? null : 4 }]
  })
}

/** What stands at `a.b.c` as text; null when there is nothing. */
function textAt(value: unknown, path: string): string | null {
  let at = value
  for (const name of path.split('.')) {
    const held = z.record(z.string(), z.unknown()).safeParse(at)
    at = held.success ? held.data[name] : undefined
  }
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at).slice(0, 120) : null
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fill(words: string, { address, title, body, template }: Parcel, secret: string, escape: (text: string) => string): string {
  const values: Readonly<Record<string, string>> = { mobile: address, title, text: body, template: template ?? '', secret }
  return words.replace(/\{(mobile|title|text|template|secret)\}/g, (_whole, name: string) => escape(values[name] ?? ''))
}

/** What stands between the quotes of a JSON string. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
