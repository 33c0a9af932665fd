import { DeviceId } from '@campus/devices/contract'
import { event } from '@kit/contract'
import { z } from 'zod'

const Emergency = z.object({ emergency_id: z.uuid(), kind: z.literal([5, 6]) })

export const doorEvents = {
  doorCommanded: event('access.door.commanded', z.object({ command_id: z.uuid(), device_id: DeviceId, kind: z.number().int() })),
  /** a terminal does not hold so many different weeks of times, and keeps what it had (R20) */
  compileRefused: event('access.compile.refused', z.object({ device_id: DeviceId, needed: z.number().int(), most: z.number().int() })),
  emergencyOn: event('access.emergency.on', Emergency),
  emergencyOff: event('access.emergency.off', Emergency),
}
