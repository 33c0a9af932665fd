import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

type Move = { school_id: number; from: string; to: string }

/**
 * Two people are one (docs/decisions/0020): what lies in the one's inbox lies in the other's, read or not; a message that both have got stays where it is.
 * @returns the messages that moved
 */
export async function moveInbox(db: QueryExecutorProvider, { school_id, from, to }: Move): Promise<string[]> {
  const { rows } = await sql<{ message_id: string }>`
    update message_person p set user_id = ${to} where p.school_id = ${school_id} and p.user_id = ${from}
      and not exists (select from message_person o where o.school_id = ${school_id} and o.user_id = ${to} and o.message_id = p.message_id)
    returning p.message_id::text`.execute(db)
  return rows.map(row => row.message_id)
}

/** These messages go back. @returns those that did */
export async function returnInbox(db: QueryExecutorProvider, { school_id, from, to }: Move, message_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ message_id: string }>`
    update message_person p set user_id = ${to} where p.school_id = ${school_id} and p.user_id = ${from} and p.message_id = any(${[...message_ids]}::bigint[]) returning p.message_id::text`.execute(db)
  return rows.map(row => row.message_id)
}

/** How many messages somebody has got after a number, and the number of his last one. */
export async function inboxState(db: QueryExecutorProvider, school_id: number, user_id: string, after = '0'): Promise<{ count: number; last: string }> {
  const { rows } = await sql<{ count: number; last: string }>`
    select count(*) filter (where p.message_id > ${after})::int as count, coalesce(max(p.message_id), 0)::text as last from message_person p where p.school_id = ${school_id} and p.user_id = ${user_id}`.execute(db)
  return rows[0] ?? { count: 0, last: '0' }
}
