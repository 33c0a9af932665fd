import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Me } from './context.ts'

type Stored = { body_hash: string; reply: unknown }

/**
 * Claims the key for this transaction, or answers what it answered before. A parallel request with the same key waits on the
 * unique key until the first one ends, so the effect happens once.
 * @throws Refusal 400 when the key was used for another body
 */
export async function recallReply<DB>(db: Kysely<DB>, me: Me, key: string, hash: string): Promise<{ reply: unknown } | null> {
  const claimed = await sql`
    insert into idempotency_key (school_id, user_id, key, body_hash) values (${me.school_id}, ${me.user_id}, ${key}, ${hash})
    on conflict do nothing returning key`.execute(db)
  if (claimed.rows.length > 0) return null
  const found = await sql<Stored>`
    select body_hash, reply from idempotency_key where school_id = ${me.school_id} and user_id = ${me.user_id} and key = ${key}`.execute(db)
  const stored = found.rows[0]
  if (!stored || stored.body_hash !== hash) throw fail(commonErrors.malformed)
  return { reply: stored.reply }
}

/** Keeps the answer for a repeated key. */
export async function storeReply<DB>(db: Kysely<DB>, me: Me, key: string, reply: unknown): Promise<void> {
  await sql`
    update idempotency_key set reply = ${JSON.stringify(reply)}::jsonb
    where school_id = ${me.school_id} and user_id = ${me.user_id} and key = ${key}`.execute(db)
}

/** Gives a key up that was claimed for an answer that cannot be kept. */
export async function forgetKey<DB>(db: Kysely<DB>, me: Me, key: string): Promise<void> {
  await sql`delete from idempotency_key where school_id = ${me.school_id} and user_id = ${me.user_id} and key = ${key}`.execute(db)
}
