import type { Credentials } from '@kit/server/mqtt'
import type { Db } from '../db.ts'
import { brokerHash, hashSecret, isSecret } from '../secret.ts'

/** Who has come in: a device, or somebody who shows an enrol code and waits for being claimed. */
export type Admitted = { school_id: number; device: { device_id: string; driver: string; is_temporary: boolean } | null }

/** Judges a connection by its id and secret; null when it is nobody's. A secret used for the first time ends the one before. */
export async function judgeDevice(db: Db, { client_id, username, password, address }: Credentials, now: Date): Promise<Admitted | null> {
  if (username !== client_id) return null
  const known = await db.selectFrom('device_client').selectAll().where('client_id', '=', client_id).where('revoked_at', 'is', null).executeTakeFirst()
  if (!known) return judgeCode(db, { client_id, password, address }, now)
  const is_newest = isSecret(password, known.secret_hash)
  const is_prior = known.prior_secret_hash !== null && known.prior_until !== null && known.prior_until > now && isSecret(password, known.prior_secret_hash)
  if (!is_newest && !is_prior) return null
  // What an outside broker keeps of it can only be made while it is shown.
  if (is_newest && known.broker_hash === null) await db.updateTable('device_client').set({ broker_hash: brokerHash(password) }).where('client_id', '=', client_id).execute()
  const is_renewed = is_newest && known.prior_secret_hash !== null
  if (is_renewed) await db.updateTable('device_client').set({ prior_secret_hash: null, prior_until: null, is_temporary: false }).where('client_id', '=', client_id).execute()
  return { school_id: known.school_id, device: { device_id: known.device_id, driver: '', is_temporary: known.is_temporary && !is_renewed } }
}

/** The first who shows a code keeps it (chapter 30 §4 `device/unclaimed`). */
async function judgeCode(db: Db, { client_id, password, address }: Pick<Credentials, 'client_id' | 'password' | 'address'>, now: Date): Promise<Admitted | null> {
  const row = await db
    .updateTable('device_enrol_code')
    .set({ device_sn: client_id, client_ip: address, seen_at: now })
    .where('code_hash', '=', hashSecret(password.trim().toUpperCase()))
    .where('expires_at', '>=', now)
    .where(eb => eb.or([eb('device_sn', 'is', null), eb('device_sn', '=', client_id)]))
    .returning('school_id')
    .executeTakeFirst()
  return row ? { school_id: row.school_id, device: null } : null
}

/** What speaks with the device; undefined when it may not come in any more. */
export function readDriver(db: Db, school_id: number, device_id: string) {
  return db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .select(['m.driver', 'd.device_sn', 'd.device_name', 'd.lifecycle'])
    .where('d.school_id', '=', school_id)
    .where('d.device_id', '=', device_id)
    .where('d.lifecycle', '<>', 'retired')
    .executeTakeFirst()
}
