import { camera_type, devicesErrors, devicesEvents, watching_types } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import type { Db } from './db.ts'
import { dueBoxes } from './ai/rule.boxes.ts'
import { dueWhole } from './sync/due.ts'

/** Where a device is put, and which way it lets people through. */
export type Standing = { place_id: string; direction: number }
/** Who puts it: a handler, or an import. */
type Placer = Publisher & { db: Db }
type Moment = { device_id: string; device_type: string; from: Date }

/** @throws Refusal 422 where nobody may be watched (chapter 30 rule 23) */
export async function refusePrivate({ db, school_id }: Pick<Placer, 'db' | 'school_id'>, place_id: string): Promise<void> {
  const place = await db.selectFrom('place_live_v').select('private_zone').where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
  if (place?.private_zone) throw fail(devicesErrors.devicePrivate)
}

/** Puts a device somewhere from a moment on, or takes it away; what it is to hold is derived for its new place. @throws Refusal 422 devicePlacedBefore, devicePrivate */
export async function putDevice(ctx: Placer, { device_id, device_type, from }: Moment, standing: Standing | null): Promise<void> {
  const { db, school_id } = ctx
  const own = db.selectFrom('device_place').where('school_id', '=', school_id).where('device_id', '=', device_id)
  const later = await own.select('id').where('valid_from', '>=', from).executeTakeFirst()
  if (later) throw fail(devicesErrors.devicePlacedBefore)
  const before = await own.select(['id', 'place_id', 'direction']).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)])).executeTakeFirst()
  if (before && standing && before.place_id === standing.place_id && before.direction === standing.direction) return
  if (before) await db.updateTable('device_place').set({ valid_to: from }).where('school_id', '=', school_id).where('id', '=', before.id).execute()
  if (standing) {
    if (watching_types.includes(device_type)) await refusePrivate(ctx, standing.place_id)
    await db.insertInto('device_place').values({ school_id, device_id, place_id: standing.place_id, direction: standing.direction, valid_from: from }).execute()
  }
  if (standing && before?.place_id === standing.place_id) await publish(ctx, devicesEvents.directionChanged, { device_id, direction: standing.direction })
  else if (standing || before) await publish(ctx, devicesEvents.placed, { device_id, place_id: standing?.place_id ?? null, from: from.toISOString() })
  await dueWhole(ctx, [device_id])
  if (device_type === camera_type) await dueBoxes(ctx, { camera_ids: [device_id] })
}
