import { createHash, randomBytes } from 'node:crypto'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from './db.ts'
import type { IdentityHandle } from './db.ts'

/** What a short one-purpose credential is for; minutes it lives. */
const lifetimes = { role: 5, pwd_default: 10, pwd_expired: 10, recheck: 5 } as const
export type TicketPurpose = keyof typeof lifetimes

/** `entry_school_id` is the school of the address the person logged in at. */
export type NewTicket = { purpose: TicketPurpose; user_id: string; school_id?: number; entry_school_id?: number }

/** Makes a ticket of 256 bits; only its hash is stored. */
export async function issueTicket(db: IdentityHandle, ticket: NewTicket, now: Date): Promise<{ token: string; expire_at: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expire_at = new Date(now.getTime() + lifetimes[ticket.purpose] * 60_000)
  await db.insertInto('ticket').values({ ...ticket, ticket_hash: hashToken(token), expire_at }).execute()
  return { token, expire_at }
}

/** Whom an unspent ticket stands for; looking does not spend it. */
export function findTicket(db: IdentityHandle, token: string, purpose: TicketPurpose, now: Date) {
  return db
    .selectFrom('ticket')
    .select(['user_id', 'school_id', 'entry_school_id'])
    .where('ticket_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expire_at', '>', now)
    .where('used_at', 'is', null)
    .executeTakeFirst()
}

/** Spends a ticket; of two parallel users only one gets true. */
export async function spendTicket(db: IdentityHandle, token: string, now: Date): Promise<boolean> {
  const spent = await db
    .updateTable('ticket')
    .set({ used_at: now })
    .where('ticket_hash', '=', hashToken(token))
    .where('expire_at', '>', now)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Uses one of the five tries of a password ticket; undefined when it is none, spent or out of tries. */
export function tryPasswordTicket(db: IdentityHandle, token: string, now: Date) {
  return db
    .updateTable('ticket')
    .set(eb => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('ticket_hash', '=', hashToken(token))
    .where('purpose', 'in', ['pwd_default', 'pwd_expired'])
    .where('expire_at', '>', now)
    .where('used_at', 'is', null)
    .where('tries_left', '>', 0)
    .returning(['user_id', 'entry_school_id'])
    .executeTakeFirst()
}

/** Spends the proof of `check_self_password` before a dangerous act; false when it is not this person's, stale or used. */
export async function spendRecheck(db: QueryExecutorProvider, user_id: string, recheck_token: string, now: Date): Promise<boolean> {
  const own = asIdentity(db)
  const ticket = await findTicket(own, recheck_token, 'recheck', now)
  return ticket?.user_id === user_id && spendTicket(own, recheck_token, now)
}

/** How secrets that we gave out are stored. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
