import { randomBytes, randomUUID } from 'node:crypto'
import type { IdentityHandle } from './db.ts'
import { hashToken } from './ticket.queries.ts'

const days = 30

/** Whether a device holds a live remembered login of a person: its right password is then not shut out by a lock. */
export async function isKnownDevice(db: IdentityHandle, user_id: string, device: string | undefined, now: Date): Promise<boolean> {
  if (!device) return false
  const row = await db
    .selectFrom('remember_token')
    .select('token_hash')
    .where('user_id', '=', user_id)
    .where('device_hash', '=', hashToken(device))
    .where('expire_at', '>', now)
    .where('revoked_at', 'is', null)
    .where('rotated_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** What a remember token is worth; `copied`: one that was used before has just ended the logins that followed from it, whose owner should know. */
type Remembered = { kind: 'good' } | { kind: 'over' } | { kind: 'copied'; user_id: string }

/** Whether a remember token stands for this person on this device. One that was used before betrays a copy: its whole family dies. */
export async function checkRemembered(db: IdentityHandle, token: string, user_id: string, device: string | undefined, now: Date): Promise<Remembered> {
  const row = await db.selectFrom('remember_token').selectAll().where('token_hash', '=', hashToken(token)).executeTakeFirst()
  if (!row) return { kind: 'over' }
  if (row.rotated_at !== null) return endCopied(db, row, now)
  const is_good = row.revoked_at === null && row.expire_at > now && row.user_id === user_id && device !== undefined && row.device_hash.equals(hashToken(device))
  return { kind: is_good ? 'good' : 'over' }
}

/** Spends a remember token; answers its family, or what it betrays when somebody else was faster. */
export async function rotateRemembered(db: IdentityHandle, token: string, now: Date): Promise<{ kind: 'spent'; family: string } | Exclude<Remembered, { kind: 'good' }>> {
  const spent = await db
    .updateTable('remember_token')
    .set({ rotated_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('rotated_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('family')
    .executeTakeFirst()
  if (spent) return { kind: 'spent', family: spent.family }
  const row = await db.selectFrom('remember_token').select(['family', 'user_id']).where('token_hash', '=', hashToken(token)).executeTakeFirst()
  return row ? endCopied(db, row, now) : { kind: 'over' }
}

/** A new remember token of 256 bits for 30 days, bound to the device; only hashes are stored. */
export async function issueRemembered(db: IdentityHandle, user_id: string, device: string, family: string | null, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expire_at = new Date(now.getTime() + days * 86_400_000)
  const row = { token_hash: hashToken(token), family: family ?? randomUUID(), device_hash: hashToken(device), user_id, expire_at }
  await db.insertInto('remember_token').values(row).execute()
  return token
}

/** Ends all remembered logins of a person. */
export async function revokeRemembered(db: IdentityHandle, user_id: string, now: Date): Promise<void> {
  await db.updateTable('remember_token').set({ revoked_at: now }).where('user_id', '=', user_id).where('revoked_at', 'is', null).execute()
}

/** A family that is over already was ended by somebody who knew: its old tokens are worth no alarm. */
async function endCopied(db: IdentityHandle, { family, user_id }: { family: string; user_id: string }, now: Date): Promise<Exclude<Remembered, { kind: 'good' }>> {
  const ended = await db.updateTable('remember_token').set({ revoked_at: now }).where('family', '=', family).where('revoked_at', 'is', null).returning('token_hash').execute()
  return ended.length > 0 ? { kind: 'copied', user_id } : { kind: 'over' }
}
