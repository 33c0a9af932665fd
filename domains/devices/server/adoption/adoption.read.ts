import type { Device, DeviceAdoption } from '@campus/devices/contract'
import type { DevicesCtx } from '../db.ts'
import { judgesLogins, readAdoption, stepsOf } from './adoption.queries.ts'
import { adoptionTold } from './adoption.words.ts'

/** How far a device has become the school's own; null: it was set up by hand, and nobody has asked for it. */
export async function readAdoptionTold({ app, db, school_id, now }: Pick<DevicesCtx, 'app' | 'db' | 'school_id' | 'now'>, { device_id, driver, online_since, is_push, lifecycle }: Pick<Device, 'device_id' | 'driver' | 'online_since' | 'is_push' | 'lifecycle'>): Promise<DeviceAdoption | null> {
  const adoption = await readAdoption(db, { school_id, device_id })
  if (!adoption) return null
  const client = await db.selectFrom('device_client').select(['is_temporary', 'prior_until']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('revoked_at', 'is', null).executeTakeFirst()
  return adoptionTold(adoption, { steps: stepsOf(driver), is_online: online_since !== null, is_paused: !is_push || lifecycle === 'disabled', is_temporary: client?.is_temporary === true, prior_until: client?.prior_until ?? null, judges_logins: judgesLogins(app), now })
}
