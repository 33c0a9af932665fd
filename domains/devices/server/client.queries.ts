import { devicesErrors } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, DevicesDb } from './db.ts'
import { lockSerial } from './model.queries.ts'
import { hashesOf, newSecret } from './secret.ts'

/** How long the secret before the newest still opens, unless the new one is used first (chapter 31 §1.3). */
const prior_hours = 24
const hour_ms = 3_600_000

type Owner = { school_id: number; device_id: string }

/** Makes a device known to the broker under its serial number. @returns its secret, told once @throws Refusal 409 deviceClientConflict */
export async function addClient(db: Db, owner: Owner, device_sn: string): Promise<string> {
  const secret = newSecret()
  await writeClient(db, owner, device_sn, { ...hashesOf(secret), is_temporary: false })
  return secret
}

/**
 * The same with a secret that the device has already; a temporary one is replaced in its first session.
 * @throws Refusal 409 deviceClientConflict when a living device, of whichever school, goes by that number
 */
export async function writeClient(db: Db, { school_id, device_id }: Owner, device_sn: string, shown: { secret_hash: string; broker_hash: string | null; is_temporary: boolean }): Promise<void> {
  await lockSerial(db, device_sn)
  const taken = await db.selectFrom('device_client').select('revoked_at').where('client_id', '=', device_sn).executeTakeFirst()
  if (taken && taken.revoked_at === null) throw fail(devicesErrors.deviceClientConflict)
  const row = { client_id: device_sn, school_id, device_id, ...shown, prior_secret_hash: null, prior_until: null, revoked_at: null }
  await db.insertInto('device_client').values(row).onConflict(conflict => conflict.column('client_id').doUpdateSet(row)).execute()
}

/** A new secret; the one before opens for another day or until the new one is used. Undefined when the device does not connect by itself. */
export async function renewSecret(db: Db, { school_id, device_id }: Owner, now: Date): Promise<{ client_id: string; secret: string } | undefined> {
  const known = await db.selectFrom('device_client').selectAll().where('school_id', '=', school_id).where('device_id', '=', device_id).where('revoked_at', 'is', null).forUpdate().executeTakeFirst()
  if (!known) return undefined
  const secret = newSecret()
  // A secret that the device was to be given and never came in with is none of its own.
  const own_hash = known.is_temporary && known.prior_secret_hash !== null ? known.prior_secret_hash : known.secret_hash
  await db
    .updateTable('device_client')
    .set({ ...hashesOf(secret), is_temporary: false, prior_secret_hash: own_hash, prior_until: priorUntil(now) })
    .where('client_id', '=', known.client_id)
    .execute()
  return { client_id: known.client_id, secret }
}

/**
 * The secret that a device with a one-time code is to be given: the code opens until the device has come in with it, for a day at most (chapter 31 §1.3). Undefined when it has one of its own.
 */
export async function replaceCode(db: Db, { school_id, device_id }: Owner, now: Date): Promise<string | undefined> {
  const known = await db.selectFrom('device_client').select(['client_id', 'secret_hash']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('revoked_at', 'is', null).where('is_temporary', '=', true).where('prior_secret_hash', 'is', null).forUpdate().executeTakeFirst()
  if (!known) return undefined
  const secret = newSecret()
  await db.updateTable('device_client').set({ ...hashesOf(secret), prior_secret_hash: known.secret_hash, prior_until: priorUntil(now) }).where('client_id', '=', known.client_id).execute()
  return secret
}

function priorUntil(now: Date): Date {
  return new Date(now.getTime() + prior_hours * hour_ms)
}

/** New secrets for devices that connect by themselves, whether they had one or not. @returns what each is set up with */
export async function issueSecrets(handle: QueryExecutorProvider, school_id: number, devices: readonly { device_id: string; device_sn: string }[]): Promise<{ sn: string; secret: string }[]> {
  const db = asTables<DevicesDb>(handle)
  const rows = devices.map(({ device_id, device_sn }) => ({ device_id, client_id: device_sn, secret: newSecret() }))
  for (const { device_id, client_id, secret } of rows) {
    const row = { client_id, school_id, device_id, ...hashesOf(secret), is_temporary: false, prior_secret_hash: null, prior_until: null, revoked_at: null }
    await db.insertInto('device_client').values(row).onConflict(conflict => conflict.column('client_id').doUpdateSet(row)).execute()
  }
  return rows.map(({ client_id, secret }) => ({ sn: client_id, secret }))
}

/** Shuts the broker's door to a device. @returns the ids whose sessions end */
export async function revokeClients(db: Db, { school_id, device_id }: Owner, now: Date): Promise<string[]> {
  const rows = await db.updateTable('device_client').set({ revoked_at: now }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('revoked_at', 'is', null).returning('client_id').execute()
  return rows.map(row => row.client_id)
}
