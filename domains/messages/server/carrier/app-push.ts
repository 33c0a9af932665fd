import type { App } from '@kit/server/http'
import { z } from 'zod'
import { postJson } from './ask.ts'
import { NotReached } from './carrier.ts'
import type { Carrier, Receipts } from './carrier.ts'
import { pageOf } from './page-address.ts'
import { sameText } from './same-text.ts'

const Settings = z.object({
  app_key: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }).default('https://api.jpush.cn/v3/push'),
  /** notices reach the development build of the app alone when false */
  production: z.boolean().default(true),
})
const Pushed = z.object({ msg_id: z.union([z.string(), z.number()]) })
const Refused = z.object({ error: z.object({ code: z.number() }) })

/** JPush: nobody has this alias, the app is on no device of his. */
const nobody = 1011

/** Notices to the school's app by JPush (docs.jiguang.cn); the app gives its devices the id of the signed-in account as alias. */
export function appPush(app: App): Carrier {
  return {
    adapter: 'app_push',
    isReady: ({ settings }) => Settings.safeParse(settings).success,
    hostOf: ({ settings }) => new URL(Settings.parse(settings).url).hostname,
    async send({ settings, secret }, { address, title, body, link }) {
      const { url, app_key, production } = Settings.parse(settings)
      const extras = { link: pageOf(app, link) ?? link ?? '' }
      const notification = { alert: body, android: { alert: body, title, extras }, ios: { alert: { title, body }, extras } }
      const push = { platform: 'all', audience: { alias: [address] }, notification, options: { apns_production: production } }
      const answer = await postJson(url, push, { authorization: basic(app_key, secret) })
      const refused = Refused.safeParse(answer.body)
      if (refused.success && refused.data.error.code === nobody) throw new NotReached(2, String(nobody))
      const pushed = Pushed.safeParse(answer.body)
      if (answer.status !== 200 || refused.success || !pushed.success) throw new Error(`provider: refused with ${refused.success ? refused.data.error.code : answer.status}`)
      return { provider_id: String(pushed.data.msg_id).slice(0, 120) }
    },
    receipts,
  }
}

function basic(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}

const Told = z.object({ type: z.number(), msgid: z.union([z.string(), z.number()]) })
const Tellings = z.union([z.array(z.unknown()), z.unknown().transform(one => [one])])
const [arrived, failed] = [4, 5]

/** Up to a hundred states in one letter, which bears the key of the app and the receipt secret in its Authorization header. */
const receipts: Receipts = {
  isSigned: ({ settings }, secret, { headers }) => sameText(String(headers.authorization ?? ''), basic(Settings.safeParse(settings).data?.app_key ?? '', secret)),
  read(_line, { body }) {
    return Tellings.parse(readJson(body)).flatMap(one => {
      const told = Told.safeParse(one)
      if (!told.success || (told.data.type !== arrived && told.data.type !== failed)) return []
      return [{ provider_id: String(told.data.msgid).slice(0, 120), reason: told.data.type === arrived ? null : 4 }]
    })
  },
  answer: 'success',
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
