import { event, Instant } from '@kit/contract'
import { PlaceId } from '@campus/places/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** What the devices domain tells the others (chapter 30 §7, 90 §3). */
export const devicesEvents = {
  online: event('device.online', z.object({ device_id: DeviceId, at: Instant })),
  offline: event('device.offline', z.object({ device_id: DeviceId, at: Instant, reason: z.string() })),
  placed: event('device.placed', z.object({ device_id: DeviceId, place_id: PlaceId.nullable(), from: Instant })),
  directionChanged: event('device.direction_changed', z.object({ device_id: DeviceId, direction: z.number().int() })),
}
