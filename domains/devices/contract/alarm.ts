import { dict, Instant } from '@kit/contract'
import { z } from 'zod'

/** What can be wrong at a device, in the words of the screens; `recovered_`: learned from its state, because the event itself was lost (chapter 30 rule 16). */
const alarms = dict('ALARM_KIND', {
  door_open: '门未关', door_held: '门开超时', forced: '强行开门', fire: '消防报警', tamper: '设备被拆', fault: '设备故障', offline: '设备离线', recovered_fire: '消防报警', recovered_door: '门未关', recovered_tamper: '设备被拆',
  record_lost: '离线期间记录可能被覆盖',
})
export const { names: alarm_names, codes: alarm_kinds } = alarms
export type AlarmKind = (typeof alarm_kinds)[number]

/** Something that was wrong at a device, from when until when (null: it still is). */
export const DeviceAlarm = z.object({ alarm_kind: z.enum(alarm_kinds), at: Instant, cleared_at: Instant.nullable() })
export type DeviceAlarm = z.output<typeof DeviceAlarm>
