import { createHash } from 'node:crypto'
import { topicPrefix } from '@kit/server/mqtt'
import { asTables } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import type { Config } from '@kit/server/config'
import type { DevicesDb } from '../db.ts'
import { brokerHash } from '../secret.ts'

const salt_bytes = 12

/** The files of an outside Mosquitto, how many devices they let in, and serial numbers of devices whose secret nobody has shown since it could be kept for such a broker. */
export type BrokerFiles = { passwords: string; acl: string; devices: number; left_out: string[] }

/**
 * Password and ACL files for Mosquitto (chapter 31 §1.6): our own user first, then every device that may come in. The same facts give the same bytes.
 * A device is bound to its user name, not to the client id that it claims: the broker is to be told `use_username_as_clientid true`.
 * @throws Error when no outside broker is configured
 */
export async function brokerFiles(database: Database, { CAMPUS_MQTT_URL, CAMPUS_MQTT_TOPIC_PREFIX }: Pick<Config, 'CAMPUS_MQTT_URL' | 'CAMPUS_MQTT_TOPIC_PREFIX'>): Promise<BrokerFiles> {
  if (CAMPUS_MQTT_URL === '') throw new Error('CAMPUS_MQTT_URL names no outside broker: there is nothing to export for')
  const { username, password } = new URL(CAMPUS_MQTT_URL)
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  const prefix = topicPrefix(CAMPUS_MQTT_TOPIC_PREFIX)
  const clients = await database.tenant<DevicesDb, { client_id: string; broker_hash: string | null }[]>(0, db =>
    asTables<DevicesDb>(db).selectFrom('device_client').select(['client_id', 'broker_hash']).where('revoked_at', 'is', null).orderBy('client_id').execute())
  const known = clients.filter(one => one.broker_hash !== null && one.client_id !== user)
  const passwords = [`${user}:${brokerHash(secret, ownSalt(secret))}`, ...known.map(one => `${one.client_id}:${one.broker_hash ?? ''}`)]
  const acl = [`user ${user}`, `topic readwrite ${prefix}/#`, '', `pattern write ${prefix}/%u/up/#`, `pattern read ${prefix}/%u/down/#`, `pattern readwrite ${prefix}/%u/access_device/v2/#`]
  return { passwords: `${passwords.join('\n')}\n`, acl: `${acl.join('\n')}\n`, devices: known.length, left_out: clients.filter(one => one.broker_hash === null).map(one => one.client_id) }
}

/** Our own password has no row to keep a salt in. */
function ownSalt(secret: string): Buffer {
  return createHash('sha256').update(`campus broker ${secret}`).digest().subarray(0, salt_bytes)
}
