import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

/** Said instead of a message that was about one person alone. */
const gone_title = '消息内容已随人员注销清除'

/**
 * Forgets a person: what he got and how it was sent to him goes; a message that was about him alone keeps neither title nor text; others no
 * longer say whom they were about. What was sent to addresses outside goes by its own time.
 * @returns rows that were removed or emptied
 */
export async function eraseInbox(db: QueryExecutorProvider, { school_id, user_id }: { school_id: number; user_id: string }): Promise<number> {
  const emptied = await sql`
    update message m set title = ${gone_title}, body = '', link = null
    where m.school_id = ${school_id} and m.title <> ${gone_title}
      and exists (select from message_person p where p.school_id = ${school_id} and p.message_id = m.message_id and p.subject_user_id = ${user_id})
      and not exists (select from message_person p where p.school_id = ${school_id} and p.message_id = m.message_id and p.subject_user_id is distinct from ${user_id})`.execute(db)
  const unnamed = await sql`update message_person set subject_user_id = null where school_id = ${school_id} and subject_user_id = ${user_id}`.execute(db)
  const sent = await sql`delete from message_delivery where school_id = ${school_id} and to_key = ${user_id}::text`.execute(db)
  const got = await sql`delete from message_person where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
  return [emptied, unnamed, sent, got].reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0), 0)
}
