import { inbox_page, messagesErrors, messagesEvents } from '@campus/messages/contract'
import type { InboxRow } from '@campus/messages/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { MessagesCtx } from './db.ts'
import { countUnread, markRead, ownLines, readLines } from './inbox.queries.ts'
import { tellUnread } from './unread.tell.ts'

/** My lines, newest first. */
export async function listInbox({ db, school_id, me, scoped }: MessagesCtx, query: { unread?: boolean | undefined; before?: string | undefined }): Promise<{ list: InboxRow[]; older: string | null }> {
  scoped()
  const found = await readLines(db, { school_id, user_id: me.user_id }, query)
  const list = found.slice(0, inbox_page).map(({ read_at, at, ...row }) => ({ ...row, at: at.toISOString(), is_read: read_at !== null }))
  return { list, older: found.length > inbox_page ? (list.at(-1)?.message_id ?? null) : null }
}

/** How many of my lines are unread, up to 100. */
export async function countInbox({ db, school_id, me, scoped }: MessagesCtx): Promise<{ unread: number }> {
  scoped()
  return { unread: await countUnread(db, { school_id, user_id: me.user_id }) }
}

/** Marks lines of mine as read; one that was read before stays as it is. @throws Refusal 404 when a line is not mine */
export async function readInbox(ctx: MessagesCtx, body: { ids: string[] } | { all: 1 }): Promise<Record<string, never>> {
  const { db, school_id, me, now, scoped } = ctx
  scoped()
  const own = { school_id, user_id: me.user_id }
  const ids = 'ids' in body ? [...new Set(body.ids)] : 'all'
  if (ids !== 'all' && (await ownLines(db, own, ids)) < ids.length) throw fail(messagesErrors.messageNotFound)
  for (const about of await markRead(db, own, ids, now)) await publish(ctx, messagesEvents.read, { ...about, user_id: me.user_id })
  await tellUnread(db, school_id, [me.user_id])
  return {}
}
