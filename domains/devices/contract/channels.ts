import { channel } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** A device whose state turned (chapter 30 rule 28). */
export const deviceStatesChannel = channel('devices:state', z.object({ device_id: DeviceId, device_state: z.string() }), { need: 'devices.device.view', within: 'place' })
