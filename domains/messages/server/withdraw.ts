import { asMessages } from './db.ts'
import type { Sender } from './send.ts'
import { tellUnread } from './unread.tell.ts'

/**
 * Takes back what a source has said about something, in the caller's transaction: unread inbox lines go, what no provider has taken is not
 * sent any more. What was read or submitted stays. @returns how many messages were taken back
 */
export async function withdraw({ db, school_id, now }: Omit<Sender, 'app'>, source: string, source_ref: string): Promise<number> {
  const own = asMessages(db)
  const taken = await own
    .updateTable('message')
    .set({ withdrawn_at: now })
    .where('school_id', '=', school_id)
    .where('source', '=', source)
    .where('source_ref', '=', source_ref)
    .where('withdrawn_at', 'is', null)
    .returning('message_id')
    .execute()
  for (const { message_id } of taken) {
    const unread = await own.deleteFrom('message_person').where('school_id', '=', school_id).where('message_id', '=', message_id).where('read_at', 'is', null).returning('user_id').execute()
    await tellUnread(db, school_id, unread.map(({ user_id }) => user_id))
    await own
      .updateTable('message_delivery')
      .set({ state: 'withdrawn', reason: 7, at: now })
      .where('school_id', '=', school_id)
      .where('message_id', '=', message_id)
      .where('state', 'in', ['queued', 'deferred'])
      .execute()
  }
  return taken.length
}
