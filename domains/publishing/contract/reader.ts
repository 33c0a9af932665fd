import { UserId } from '@campus/people/contract'
import { api, filter, get, Instant, post, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { NOTICE_KIND } from './dictionary.ts'
import { Answers, Form } from './form.ts'
import { Attachment, PostId } from './post.ts'

const count = z.number().int()
export const inbox_page = 20
/** A drawn signature as PNG, at most 100 KB (chapter 60 rule 19). */
const Signature = z.string().max(140_000, { error: '签名图片过大，请重新签写' }).regex(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/, { error: '签名格式不正确，请重新签写' })

/** One post in the inbox; several children have one line. */
export const InboxPost = z.object({
  id: PostId, title: z.string(), kind: z.enum(NOTICE_KIND.codes), summary: z.string(), author_name: z.string().nullable(), sent_at: Instant, due_at: Instant.nullable(),
  reply_kind: count, must_read: z.boolean(), is_read: z.boolean(), is_updated: z.boolean(), is_recalled: z.boolean(), is_expired: z.boolean(), waiting: count,
})
export type InboxPost = z.output<typeof InboxPost>

/** What one child, or the reader himself, owes and has given. */
const Subject = z.object({ subject_user_id: UserId, name: z.string(), is_self: z.boolean(), submitted_at: Instant.nullable(), submitted_by: z.string().nullable(), can_submit: z.boolean(), must_sign_again: z.boolean(),
  /** of a check-in that repeats: how it was kept up until today */
  check_in: z.object({ due: count, done: count, streak: count, longest: count, is_due: z.boolean() }).nullable(),
})

/** A post as it is read. */
export const OpenedPost = InboxPost.extend({
  rev: count, content_html: z.string(), content_hash: z.string(), attachments: z.array(Attachment.extend({ address: z.string() })), form: Form, anonymous: z.boolean(), subjects: z.array(Subject),
})
export type OpenedPost = z.output<typeof OpenedPost>

/** Where a page of the inbox ended: the last post's time and number, for several may be sent in one moment. */
const Before = z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z~\d{1,18}$/)
const me = { session: true, within: 'self' } as const
const ById = z.object({ id: PostId })

/** What a reader does: opening by POST is reading, a list never is (chapter 60 rule 7). */
export const readerApi = api('iot', 'publishing.reader', {
  inbox: get('notice/inbox', {
    query: z.object({
      unread_only: QueryFlag.optional(), waiting_only: QueryFlag.optional(), kind: filter(z.enum(NOTICE_KIND.codes)), before: Before.optional(),
    }),
    reply: z.object({ list: z.array(InboxPost), older: z.string().nullable() }),
    ...me,
  }),
  unread: get('notice/inbox/unread_count', { reply: z.object({ unread: count, waiting: count }), ...me }),
  mustRead: get('notice/inbox/must_read', { reply: z.object({ list: z.array(InboxPost) }), ...me }),
  open: post('notice/inbox/open', { body: ById, reply: OpenedPost, op: 4, ...me }),
  confirm: post('notice/inbox/confirm', { body: ById, reply: z.object({ confirmed: count }), op: 4, ...me }),
  submit: post('notice/inbox/submit', {
    body: z.strictObject({ id: PostId, subject_user_id: UserId, answers: Answers.default({}), text: z.string().trim().max(2000, { error: '超过2000个字' }).default(''), signature: Signature.nullable().default(null) }), reply: z.object({ late: z.boolean() }), op: 4, ...me,
  }),
  submission: get('notice/inbox/:id/submission', { params: ById, query: z.object({ subject_user_id: UserId }), reply: z.object({ answers: Answers, text: z.string(), at: Instant.nullable(), note: z.string().nullable() }), ...me }),
})
