import { devicesErrors } from '@campus/devices/contract'
import type { DeviceSetup } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { forgetSecret } from './adoption/adoption.queries.ts'
import { addClient, issueSecrets } from './client.queries.ts'
import type { Db, DevicesDb } from './db.ts'
import { connecting_drivers } from './model.queries.ts'
import { kickClients } from './notice.ts'
import { setupOf } from './setup.ts'
import type { Declarer } from './sync/declare.ts'

type Of = { school_id: number; device_id: string }

/**
 * What a device of the caller's school comes in with from now on, made in his own transaction and told once (chapter 30 rule 1: a board is paired by publishing).
 * Whatever opened for it before opens no more, and a session that it has ends.
 * @throws Refusal 404, 409 deviceClientConflict, 422 driverUnsupported when it does not connect by itself
 */
export async function adopt({ app, db: handle, school_id }: Declarer, device_id: string): Promise<DeviceSetup> {
  const db = asTables<DevicesDb>(handle)
  const device = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select(['d.device_sn', 'm.driver']).where('d.school_id', '=', school_id).where('d.device_id', '=', device_id).where('d.lifecycle', '<>', 'retired').forUpdate('d').executeTakeFirst()
  if (!device) throw fail(commonErrors.notFound)
  if (!connecting_drivers.includes(device.driver)) throw fail(devicesErrors.driverUnsupported, { params: { name: '配对' } })
  const secret = await freshSecret(db, { school_id, device_id }, device.device_sn)
  await forgetSecret({ db, school_id, device_id })
  await kickClients({ db, school_id }, [device.device_sn])
  return setupOf(app, { client_id: device.device_sn, secret, driver: device.driver })
}

/** A way in that it has is made anew; one that it lacks may be another school's. */
async function freshSecret(db: Db, { school_id, device_id }: Of, device_sn: string): Promise<string> {
  const known = await db.selectFrom('device_client').select('client_id').where('school_id', '=', school_id).where('device_id', '=', device_id).where('revoked_at', 'is', null).executeTakeFirst()
  if (!known) return addClient(db, { school_id, device_id }, device_sn)
  const [issued] = await issueSecrets(db, school_id, [{ device_id, device_sn: known.client_id }])
  return issued?.secret ?? addClient(db, { school_id, device_id }, device_sn)
}
