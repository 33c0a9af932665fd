import { devicesEvents } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { AccessDb } from '../db.ts'
import { driveEmergency, emergency_kind } from './emergency.drive.ts'

/** An ended emergency is followed up by doors that come back so long after. */
const followed_ms = 86_400_000

/** A door that comes back on line follows what goes on, or what has ended meanwhile. */
export const doorConsumers = [
  consume('access.door_online', devicesEvents.online.name, devicesEvents.online.payload.pick({ device_id: true }), async ({ app, db: handle, school_id, now }) => {
    const db = asTables<AccessDb>(handle)
    const last = await db.selectFrom('door_emergency').select('emergency_id').where('school_id', '=', school_id)
      .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', new Date(now.getTime() - followed_ms))])).orderBy('begun_at', 'desc').limit(1).executeTakeFirst()
    if (last) await driveEmergency({ app, db, school_id, now }, last.emergency_id)
  }),
]

/** Doors that have not answered are told again. */
export const emergencyTimer: TimerKind = {
  kind: emergency_kind,
  async run(db, { app, school_id, now, ref }) {
    await driveEmergency({ app, db: asTables<AccessDb>(db), school_id, now }, ref)
  },
}
