import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { isSecret } from '../secret.ts'

/** Which device shows this secret outside of the broker, e.g. the player page of a board over HTTP; null for a wrong or revoked one. */
export async function deviceOfSecret(
  handle: QueryExecutorProvider,
  { client_id, secret }: { client_id: string; secret: string },
): Promise<{ school_id: number; device_id: string } | null> {
  const known = await asTables<DevicesDb>(handle)
    .selectFrom('device_client')
    .select(['school_id', 'device_id', 'secret_hash'])
    .where('client_id', '=', client_id)
    .where('revoked_at', 'is', null)
    .where('is_temporary', '=', false)
    .executeTakeFirst()
  return known && isSecret(secret, known.secret_hash) ? { school_id: known.school_id, device_id: known.device_id } : null
}
