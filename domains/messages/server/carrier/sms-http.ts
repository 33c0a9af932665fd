import { z } from 'zod'
import { patience_ms } from './carrier.ts'
import type { Carrier, Parcel } from './carrier.ts'

const Settings = z.object({
  url: z.url({ protocol: /^https?$/ }),
  content_type: z.enum(['application/json', 'application/x-www-form-urlencoded']).default('application/json'),
  /** body of the request; {mobile} {title} {text} {template} {secret} are filled in */
  body: z.string().min(1),
  /** value of the header Authorization, filled likewise */
  authorization: z.string().default(''),
  /** what the answer must hold when the provider has taken the message; empty = the status alone counts */
  ok_text: z.string().default(''),
})

/** Short messages by any provider that takes one HTTP POST a message. */
export const smsHttp: Carrier = {
  adapter: 'sms_http',
  isReady: ({ settings }) => Settings.safeParse(settings).success,
  hostOf: ({ settings }) => new URL(Settings.parse(settings).url).hostname,
  async send({ settings, secret }, parcel) {
    const { url, content_type, body, authorization, ok_text } = Settings.parse(settings)
    const escape = content_type === 'application/json' ? jsonText : encodeURIComponent
    const headers = { 'content-type': content_type, ...(authorization === '' ? {} : { authorization: fill(authorization, parcel, secret, String) }) }
    const answer = await fetch(url, { method: 'POST', headers, body: fill(body, parcel, secret, escape), redirect: 'error', signal: AbortSignal.timeout(patience_ms) }).catch(() => {
      throw new Error('provider: no answer')
    })
    const text = await answer.text()
    if (!answer.ok || !text.includes(ok_text)) throw new Error(`provider: refused with ${answer.status}`)
    return { provider_id: null }
  },
}

function fill(words: string, { address, title, body, template }: Parcel, secret: string, escape: (text: string) => string): string {
  const values: Readonly<Record<string, string>> = { mobile: address, title, text: body, template: template ?? '', secret }
  return words.replace(/\{(mobile|title|text|template|secret)\}/g, (_whole, name: string) => escape(values[name] ?? ''))
}

/** What stands between the quotes of a JSON string. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
