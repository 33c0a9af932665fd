import type { Insertable } from 'kysely'
import type { MessagesDb, MessagesHandle } from './db.ts'

export type NewRow = Insertable<MessagesDb['message']>

const portion = 500

/** Those of these people whom the school knows, with the day on which they left. */
export async function knownPeople(db: MessagesHandle, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, Date | null>> {
  const found = new Map<string, Date | null>()
  for (let from = 0; from < user_ids.length; from += portion) {
    const part = user_ids.slice(from, from + portion)
    const rows = await db.selectFrom('school_user_v').select(['user_id', 'left_at']).where('school_id', '=', school_id).where('user_id', 'in', part).execute()
    for (const { user_id, left_at } of rows) found.set(user_id, left_at)
  }
  return found
}

/** Writes a message; undefined when its source has written it already, also while another transaction does. */
export async function insertMessage(db: MessagesHandle, row: NewRow): Promise<string | undefined> {
  const written = await db
    .insertInto('message')
    .values(row)
    .onConflict(on => on.columns(['school_id', 'source', 'source_ref', 'month']).doNothing())
    .returning('message_id')
    .executeTakeFirst()
  return written?.message_id
}

/** The message a source has written about something. */
export async function findMessage(db: MessagesHandle, school_id: number, source: string, source_ref: string): Promise<string> {
  const { message_id } = await db
    .selectFrom('message')
    .select('message_id')
    .where('school_id', '=', school_id)
    .where('source', '=', source)
    .where('source_ref', '=', source_ref)
    .orderBy('message_id', 'desc')
    .executeTakeFirstOrThrow()
  return message_id
}
