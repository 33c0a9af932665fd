import { channel } from '@kit/contract'
import { z } from 'zod'
import { alarm_kinds } from './alarm.ts'
import { DeviceId } from './device-id.ts'

const view = { need: 'devices.device.view', within: 'place' } as const

/** A device whose state turned (chapter 30 rule 28). */
export const deviceStatesChannel = channel('devices:state', z.object({ device_id: DeviceId, device_state: z.string() }), view)

/** An alarm of a device begins, or is over (chapter 30 rule 28). */
export const alarmChannel = channel('alarm', z.object({ device_id: DeviceId, alarm_kind: z.enum(alarm_kinds), is_open: z.boolean() }), view)

/** Something at one device has turned: its line or state, an alarm of it, a command that it has answered or never will. It is to be asked for again (chapter 30 rule 28). */
export const deviceChannel = channel('device:{id}', z.object({ device_id: DeviceId, what: z.enum(['state', 'alarm', 'command']) }), view)
