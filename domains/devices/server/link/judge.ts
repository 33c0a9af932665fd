import type { Credentials } from '@kit/server/mqtt'
import { judgeDevice, readDriver } from './admission.ts'
import type { Admitted } from './admission.ts'
import { writeLink } from './link.write.ts'
import type { Sessions } from './sessions.ts'

/** Refused connections of one device that are written down in a minute. */
const refusals_written = 1

/** Who somebody is by what he shows, whichever broker he came to; null when he is nobody. A refusal stands in the history of the device whose place he wanted. */
export async function judge(sessions: Sessions, shown: Credentials): Promise<Admitted | null> {
  const now = sessions.app.clock.now()
  const known = await sessions.tenant(0, db => judgeDevice(db, shown, now))
  if (!known) {
    if (sessions.refusals.hit(shown.client_id, refusals_written, now) === 0) await noteRefusal(sessions, shown)
    return null
  }
  const { school_id, device } = known
  if (!device) return known
  const lives = await sessions.tenant(school_id, db => readDriver(db, school_id, device.device_id))
  return lives ? { school_id, device: { ...device, driver: lives.driver } } : null
}

/** Somebody came under the id of a device and did not know its secret. */
async function noteRefusal(sessions: Sessions, { client_id, address }: Credentials): Promise<void> {
  const owner = await sessions.tenant(0, db => db.selectFrom('device_client').select(['school_id', 'device_id']).where('client_id', '=', client_id).executeTakeFirst())
  if (!owner) return
  const { school_id, device_id } = owner
  const { app } = sessions
  await sessions.tenant(school_id, db => writeLink({ app, db, school_id, device_id, now: app.clock.now() }, 'refused', { client_ip: address, reason: 'secret' }))
}
