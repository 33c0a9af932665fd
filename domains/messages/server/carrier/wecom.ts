import type { App } from '@kit/server/http'
import { z } from 'zod'
import { StaleToken, tokenShelf } from './access-token.ts'
import { getJson, postJson } from './ask.ts'
import type { Answer } from './ask.ts'
import { NotReached } from './carrier.ts'
import type { Carrier, Line, Parcel } from './carrier.ts'
import { pageOf } from './page-address.ts'

const Settings = z.object({
  corp_id: z.string().min(1),
  agent_id: z.coerce.number().int().positive(),
  /** a relay of the school's own in place of WeChat Work's address */
  url: z.url({ protocol: /^https?$/ }).default('https://qyapi.weixin.qq.com'),
})
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
const Sent = z.object({ msgid: z.string().max(120).optional(), invaliduser: z.string().optional(), unlicenseduser: z.string().optional() })

/** Numbers of WeChat Work (developer.work.weixin.qq.com): the token is wrong or over; nobody of that name may see the application. */
const token_errors = [40014, 41001, 42001]
const nobody_errors = [40003, 60111, 81013]

/** Messages of an application of WeChat Work (message/send) to the account that a person has bound. Its provider sends no receipts. */
export function wecom(app: App): Carrier {
  const withToken = tokenShelf(app.clock)
  return {
    adapter: 'wecom',
    isReady: ({ settings }) => Settings.safeParse(settings).success,
    hostOf: ({ settings }) => new URL(Settings.parse(settings).url).hostname,
    async send(line, parcel) {
      const { url, corp_id, agent_id } = Settings.parse(line.settings)
      return withToken(`${url}|${corp_id}|${line.secret}`, () => fetchToken(line), async token => {
        const { body } = await postJson(`${base(url)}/cgi-bin/message/send?access_token=${encodeURIComponent(token)}`, letterOf(app, parcel, agent_id))
        const { msgid, invaliduser, unlicenseduser } = read(Sent, body)
        if (invaliduser || unlicenseduser) throw new NotReached(2, 'invaliduser')
        return { provider_id: msgid ?? null }
      })
    },
  }
}

async function fetchToken({ settings, secret }: Line) {
  const { url, corp_id } = Settings.parse(settings)
  const query = new URLSearchParams({ corpid: corp_id, corpsecret: secret })
  const { access_token, expires_in } = read(Token, (await getJson(`${base(url)}/cgi-bin/gettoken?${query}`)).body)
  return { token: access_token, seconds: expires_in }
}

/** A card with a link to the page, or plain text where there is none or the product has no address of its own. */
function letterOf(app: App, { address, title, body, link }: Parcel, agentid: number) {
  const to = { touser: address, agentid, enable_duplicate_check: 0 }
  const url = pageOf(app, link)
  if (url === null) return { ...to, msgtype: 'text', text: { content: `${title}\n${body}` } }
  return { ...to, msgtype: 'textcard', textcard: { title, description: body, url, btntxt: '查看' } }
}

function read<T extends z.ZodType>(shape: T, body: Answer['body']): z.output<T> {
  const code = Number(body.errcode ?? 0)
  if (token_errors.includes(code)) throw new StaleToken(`provider: refused with ${code}`)
  if (nobody_errors.includes(code)) throw new NotReached(2, String(code))
  const told = shape.safeParse(body)
  if (code !== 0 || !told.success) throw new Error(`provider: refused with ${code}`)
  return told.data
}

function base(url: string): string {
  return url.replace(/\/+$/, '')
}
