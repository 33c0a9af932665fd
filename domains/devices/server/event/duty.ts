import { AI_WARN_KIND } from '@campus/devices/contract'
import type { AlarmKind } from '@campus/devices/contract'
import { alarmEvents } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { z } from 'zod'

/** What a duty officer must act on, and how soon; null: a door that is open is told of when it was held open, and lost records are for whoever looks after the device. */
const duty_levels: Record<AlarmKind, 2 | 3 | null> = { fire: 3, forced: 3, tamper: 3, recovered_fire: 3, recovered_tamper: 3, door_held: 2, fault: 2, offline: 2, door_open: null, recovered_door: null, record_lost: null }
/** Fights, climbers and fire do not wait for the morning. */
export const urgent_warnings: readonly string[] = ['4', '5', '8']
/** Which alarm of which device: the key of its row. */
type AlarmKey = { device_id: string; event_date: string; device_seq: string; alarm_kind: AlarmKind }
type What = 'raised' | 'closed'

/** An alarm of a device has begun or is over: the duty officers' box is told (chapter 90 §3). */
export async function tellDuty(from: Publisher, what: What, { device_id, event_date, device_seq, alarm_kind }: AlarmKey): Promise<void> {
  const level = duty_levels[alarm_kind]
  if (level === null) return
  await publish(from, alarmEvents[what], { domain: 'devices', kind: alarm_kind, source_id: `${device_id}/${event_date}/${device_seq}`, level, deadline: null, need: 'devices.device.view' })
}

/** A warning of a box waits for somebody, or does not any more. */
export async function tellDutyWarning(from: Publisher, what: What, { warning_id, warn_kind }: { warning_id: string; warn_kind: string }): Promise<void> {
  const kind = z.enum(AI_WARN_KIND.codes).parse(warn_kind)
  await publish(from, alarmEvents[what], { domain: 'devices', kind: `ai_warning_${kind}`, source_id: warning_id, level: urgent_warnings.includes(kind) ? 3 : 2, deadline: null, need: 'devices.ai.view' })
}
