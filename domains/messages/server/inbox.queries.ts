import { inbox_page, most_unread } from '@campus/messages/contract'
import type { MessagesHandle } from './db.ts'

type Own = { school_id: number; user_id: string }

/** Lines of a person, newest first, one more than a page when there are older ones. */
export function readLines(db: MessagesHandle, { school_id, user_id }: Own, { unread, before }: { unread?: boolean | undefined; before?: string | undefined }) {
  return db
    .selectFrom('message_person as p')
    .innerJoin('message as m', join => join.onRef('m.school_id', '=', 'p.school_id').onRef('m.message_id', '=', 'p.message_id').onRef('m.month', '=', 'p.month'))
    .where('p.school_id', '=', school_id)
    .where('p.user_id', '=', user_id)
    .$if(unread === true, query => query.where('p.read_at', 'is', null))
    .$if(before !== undefined, query => query.where('p.message_id', '<', before ?? ''))
    .select(['p.message_id', 'm.at', 'm.source', 'm.title', 'm.body', 'm.link', 'm.level', 'p.subject_user_id', 'p.read_at'])
    .orderBy('p.message_id', 'desc')
    .limit(inbox_page + 1)
    .execute()
}

/** Unread lines of a person, counted up to a bound. */
export async function countUnread(db: MessagesHandle, { school_id, user_id }: Own): Promise<number> {
  const { n } = await db
    .selectFrom(part =>
      part.selectFrom('message_person').select('message_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('read_at', 'is', null).limit(most_unread).as('unread'))
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Marks unread lines of a person as read, all of them or these. @returns what they were about */
export async function markRead(db: MessagesHandle, { school_id, user_id }: Own, ids: readonly string[] | 'all', now: Date) {
  const marked = await db
    .updateTable('message_person')
    .set({ read_at: now })
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .$if(ids !== 'all', query => query.where('message_id', 'in', ids))
    .returning('message_id')
    .execute()
  if (marked.length === 0) return []
  const message_ids = marked.map(({ message_id }) => message_id)
  return db.selectFrom('message').select(['source', 'source_ref']).where('school_id', '=', school_id).where('message_id', 'in', message_ids).execute()
}

/** Which of these lines are a person's own. */
export async function ownLines(db: MessagesHandle, { school_id, user_id }: Own, ids: readonly string[]): Promise<number> {
  const rows = await db.selectFrom('message_person').select('message_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('message_id', 'in', ids).execute()
  return rows.length
}
