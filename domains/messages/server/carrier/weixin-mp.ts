import { createHash } from 'node:crypto'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import { StaleToken, tokenShelf } from './access-token.ts'
import { postJson } from './ask.ts'
import type { Answer } from './ask.ts'
import { NotReached } from './carrier.ts'
import type { Carrier, Line, Parcel, Receipts } from './carrier.ts'
import { pageOf } from './page-address.ts'
import { sameText } from './same-text.ts'

const Settings = z.object({
  app_id: z.string().min(1),
  /** the template of messages whose own template names none */
  template_id: z.string().min(1),
  /** the fields of the template that take title and body */
  title_field: z.string().min(1).default('thing1'),
  body_field: z.string().min(1).default('thing2'),
  url: z.url({ protocol: /^https?$/ }).default('https://api.weixin.qq.com'),
})
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
const Sent = z.object({ msgid: z.union([z.number(), z.string()]) })

/** Numbers of the Official Account platform (developers.weixin.qq.com). */
const token_errors = [40001, 40014, 42001]
const [no_such_user, not_following] = [40003, 43004]
/** A field `thing` takes that many signs. */
const thing_length = 20

/** Template messages of an Official Account to the follower that a person has bound. */
export function weixinMp(app: App): Carrier {
  const withToken = tokenShelf(app.clock)
  return {
    adapter: 'weixin_mp',
    isReady: ({ settings }) => Settings.safeParse(settings).success,
    hostOf: ({ settings }) => new URL(Settings.parse(settings).url).hostname,
    async send(line, parcel) {
      const { url, app_id } = Settings.parse(line.settings)
      return withToken(`${url}|${app_id}|${line.secret}`, () => fetchToken(line), async token => {
        const { body } = await postJson(`${base(url)}/cgi-bin/message/template/send?access_token=${encodeURIComponent(token)}`, letterOf(app, line, parcel))
        return { provider_id: String(read(Sent, body, true).msgid).slice(0, 120) }
      })
    },
    receipts,
  }
}

/** The token that stays the same for all who ask while it lasts: several servers do not take it from each other. */
async function fetchToken({ settings, secret }: Line) {
  const { url, app_id } = Settings.parse(settings)
  const { body } = await postJson(`${base(url)}/cgi-bin/stable_token`, { grant_type: 'client_credential', appid: app_id, secret })
  const { access_token, expires_in } = read(Token, body, false)
  return { token: access_token, seconds: expires_in }
}

function letterOf(app: App, { settings }: Line, { address, title, body, link, template }: Parcel) {
  const { template_id, title_field, body_field } = Settings.parse(settings)
  const url = pageOf(app, link)
  const data = { [title_field]: { value: fitted(title_field, title) }, [body_field]: { value: fitted(body_field, body) } }
  return { touser: address, template_id: template ?? template_id, ...(url === null ? {} : { url }), data }
}

function fitted(field: string, text: string): string {
  const signs = [...text]
  return field.startsWith('thing') && signs.length > thing_length ? `${signs.slice(0, thing_length - 1).join('')}…` : text
}

/** The same number tells of a wrong secret where a token is asked for, and of a wrong token elsewhere (`has_token`). */
function read<T extends z.ZodType>(shape: T, body: Answer['body'], has_token: boolean): z.output<T> {
  const code = Number(body.errcode ?? 0)
  if (has_token && token_errors.includes(code)) throw new StaleToken(`provider: refused with ${code}`)
  if (code === no_such_user) throw new NotReached(2, String(code))
  if (code === not_following) throw new NotReached(3, String(code))
  const told = shape.safeParse(body)
  if (code !== 0 || !told.success) throw new Error(`provider: refused with ${code}`)
  return told.data
}

/** Events as XML, in plain text mode; the signature is the SHA-1 of token, timestamp and nonce in their order. */
const receipts: Receipts = {
  isSigned(_line, secret, { signature = '', timestamp = '', nonce = '' }) {
    return sameText(signature, createHash('sha1').update([secret, timestamp, nonce].toSorted().join('')).digest('hex'))
  },
  read(_line, { body }) {
    const [id, status] = [fieldOf(body, 'MsgID'), fieldOf(body, 'Status')]
    if (fieldOf(body, 'Event') !== 'TEMPLATESENDJOBFINISH' || !id || !status) return []
    return [{ provider_id: id, reason: status === 'success' ? null : status.replace(/\s/g, '') === 'failed:userblock' ? 3 : 4 }]
  },
  answer: 'success',
}

/** What stands in one field of such a letter, with or without CDATA. */
function fieldOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<>\\]]{1,120})(?:\\]\\]>)?</${name}>`).exec(xml)?.[1]?.trim()
}

function base(url: string): string {
  return url.replace(/\/+$/, '')
}
