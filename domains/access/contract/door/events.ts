import { DeviceId } from '@campus/devices/contract'
import { event } from '@kit/contract'
import { z } from 'zod'

const Emergency = z.object({ emergency_id: z.uuid(), kind: z.literal([5, 6]) })

export const doorEvents = {
  doorCommanded: event('access.door.commanded', z.object({ command_id: z.uuid(), device_id: DeviceId, kind: z.number().int() })),
  emergencyOn: event('access.emergency.on', Emergency),
  emergencyOff: event('access.emergency.off', Emergency),
}
