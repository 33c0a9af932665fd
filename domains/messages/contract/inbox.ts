import { api, Done, get, id, Instant, post, QueryFlag } from '@kit/contract'
import { z } from 'zod'

const MessageId = id('messages.message')

/** Lines of one page of the inbox. */
export const inbox_page = 20
/** The count of unread lines stops here; the bell then says 99+. */
export const most_unread = 100

/** One line of my inbox, plain text. `link` is a path of the console or of a sub-application. */
export const InboxRow = z.object({
  message_id: MessageId,
  at: Instant,
  source: z.string(),
  title: z.string(),
  body: z.string(),
  link: z.string().nullable(),
  level: z.number().int(),
  subject_user_id: id('identity.account').nullable(),
  is_read: z.boolean(),
})
export type InboxRow = z.output<typeof InboxRow>

const ReadBody = z.union([z.strictObject({ ids: z.array(MessageId).min(1).max(200) }), z.strictObject({ all: z.literal(1) })])

export const inboxApi = api('web', 'messages.inbox', {
  list: get('message/inbox', {
    query: z.object({ unread: QueryFlag.optional(), before: MessageId.optional() }),
    /** `older`: the position after this page, null at the end */
    reply: z.object({ list: z.array(InboxRow), older: MessageId.nullable() }),
    session: true,
    within: 'self',
  }),
  count: get('message/inbox/count', { reply: z.object({ unread: z.number().int().max(most_unread) }), session: true, within: 'self' }),
  read: post('message/inbox/read', { body: ReadBody, reply: Done, session: true, within: 'self', op: 4 }),
})
