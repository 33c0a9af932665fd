import { api, Done, get, post, put } from '@kit/contract'
import { z } from 'zod'
import { adapters } from './dictionary.ts'

/** What stands in place of a secret that is there; sent back it leaves the secret as it is. */
export const kept_secret = '●●●●'

const Channel = z.coerce.number().int().min(2).max(5)
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间格式不正确' })
const Settings = z.record(z.string().max(40), z.union([z.string().max(2000), z.number(), z.boolean()])).refine(all => Object.keys(all).length <= 20)

const ChannelDraft = z.object({
  adapter: z.enum(adapters),
  settings: Settings,
  /** password or key of the provider; write-only */
  secret: z.string().max(500),
  /** what the provider signs its receipts with; write-only */
  receipt_secret: z.string().max(500).default(kept_secret),
  day_limit: z.number().int().min(0).max(1_000_000),
  person_day_limit: z.number().int().min(0).max(1000),
  quiet_from: Time,
  quiet_to: Time,
  enabled: z.boolean(),
  row_version: z.number().int(),
})

/** An outside channel of the school. `is_ready` false: messages are only recorded. `row_version` 0: nobody has set it yet. */
export const ChannelRow = ChannelDraft.extend({ channel: z.number().int(), is_ready: z.boolean() })
export type ChannelRow = z.output<typeof ChannelRow>

const need = 'messages.setting.edit'

export const channelApi = api('web', 'messages.channel', {
  list: get('message/channel', { reply: z.object({ list: z.array(ChannelRow) }), need }),
  save: put('message/channel/:channel', { params: z.object({ channel: Channel }), body: ChannelDraft, reply: ChannelRow, need }),
  test: post('message/channel/test', {
    body: z.object({ channel: Channel, to: z.string().trim().min(1).max(254), recheck_token: z.string().max(100) }),
    op: 4, reply: Done,
    need,
  }),
})
