import { meChannel } from '@campus/identity/contract'
import { push } from '@kit/server/realtime'
import type { QueryExecutorProvider } from 'kysely'
import { asMessages } from './db.ts'
import { countUnread } from './inbox.queries.ts'

/** Up to so many people are told their number at once; more ask for it. */
const most_counted = 20

/** Tells people that their inbox has changed, with the number of unread lines as it is in this transaction. */
export async function tellUnread(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<void> {
  const users = [...new Set(user_ids)]
  if (users.length === 0) return
  if (users.length > most_counted) return push({ db, school_id }, meChannel, [{ kind: 'messages' }], { users })
  for (const user_id of users) {
    const unread = await countUnread(asMessages(db), { school_id, user_id })
    await push({ db, school_id }, meChannel, [{ kind: 'messages', unread }], { users: [user_id] })
  }
}
