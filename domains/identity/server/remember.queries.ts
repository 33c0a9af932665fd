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

/** Whether a remember token stands for this person on this device. One that was used before betrays a copy: its whole family dies. */
export async function checkRemembered(db: IdentityHandle, token: string, user_id: string, device: string | undefined, now: Date): Promise<boolean> {
  const row = await db.selectFrom('remember_token').selectAll().where('token_hash', '=', hashToken(token)).executeTakeFirst()
  if (!row) return false
  if (row.rotated_at !== null) {
    await revokeFamily(db, row.family, now)
    return false
  }
  return row.revoked_at === null && row.expire_at > now && row.user_id === user_id && device !== undefined && row.device_hash.equals(hashToken(device))
}

/** Spends a remember token; answers its family, or null when somebody else was faster (then the family is dead). */
export async function rotateRemembered(db: IdentityHandle, token: string, now: Date): Promise<string | null> {
  const spent = await db
    .updateTable('remember_token')
    .set({ rotated_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('rotated_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('family')
    .executeTakeFirst()
  if (spent) return spent.family
  const row = await db.selectFrom('remember_token').select('family').where('token_hash', '=', hashToken(token)).executeTakeFirst()
  if (row) await revokeFamily(db, row.family, now)
  return null
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

async function revokeFamily(db: IdentityHandle, family: string, now: Date): Promise<void> {
  await db.updateTable('remember_token').set({ revoked_at: now }).where('family', '=', family).where('revoked_at', 'is', null).execute()
}
