import { api, asked_channel, channel, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'

/** Most channels of one browser. */
export const most_channels = 50
/** What becomes of a connection that is never answered, in milliseconds (chapter 31 §1.1). */
const connect_timeout = 400_000

/**
 * What a person is told about himself: `session` has ended, `rights` were changed, `config` (with navigation and dictionaries) of the school was changed,
 * `messages` arrived or were read, `jobs` were begun or ended. Whoever hears of it asks for what has changed.
 */
export const MeRow = z.object({
  kind: z.enum(['session', 'rights', 'config', 'messages', 'jobs']),
  /** why a session has ended */
  reason: z.string().optional(),
  /** unread messages, where they are known */
  unread: z.number().int().optional(),
})
export const meChannel = channel('me', MeRow, { within: 'self' })

/** A person has signed in under a membership, or is gone from it. */
export const OnlineRow = z.object({ user_id: id('identity.account'), role_no: id('identity.role_member'), online: z.boolean() })
export const memberChannel = channel('member', OnlineRow, { need: 'identity.member.view', within: 'dept' })

const ClientId = z.string().regex(/^w-\d{1,10}-[A-Za-z0-9_-]{22}$/)
const own_client = { client_id: ClientId.optional() }

/** What a browser is told (chapter 31 §2); `n` counts the frames of a channel without a hole, `gap`: rows were lost, ask for everything again. */
export const Frame = z.object({ ch: z.string(), n: z.number().int(), at: Instant, rows: z.array(z.record(z.string(), z.unknown())), gap: z.literal(true).optional() })
export type Frame = z.output<typeof Frame>

export const TicketReply = z.object({
  client_id: ClientId,
  token: z.string(),
  expire_at: Instant,
  /** path of the WebSocket on this host */
  url: z.string(),
  /** this browser's own topic */
  topic: z.string(),
  prefix: z.string(),
  qos: z.literal(1),
  connect_timeout: z.literal(connect_timeout),
})

/** The one way by which a browser hears of what happens (chapter 10 S10). Without `client_id` the session's newest is meant. */
export const realtimeApi = api('web', 'identity.realtime', {
  /** with `client_id` a new token for the same connection */
  ticket: get('realtime/ticket', { query: z.object(own_client), reply: TicketReply, session: true, within: 'self' }),
  /** replaces what the browser watches; one that it may not watch refuses the whole, `data.channel` names it */
  watch: post('realtime/watch', {
    body: z.strictObject({ ...own_client, channels: z.array(z.string().regex(asked_channel)).max(200) }),
    reply: z.object({ granted: z.array(z.string()) }),
    session: true,
    within: 'self',
    op: 4,
  }),
  /** the same frames for whoever cannot hold a connection; `since` of the answer before */
  poll: get('realtime/poll', { query: z.object({ ...own_client, since: z.string().max(60).optional() }), reply: z.object({ since: z.string(), frames: z.array(Frame) }), session: true, within: 'self' }),
})
