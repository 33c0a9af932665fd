import { Day, event, Instant } from '@kit/contract'
import { PlaceId } from '@campus/places/contract'
import { z } from 'zod'
import { alarm_kinds } from './alarm.ts'
import { DeviceId } from './device-id.ts'
import { AI_WARN_KIND, AI_WARN_STATE, DEVICE_STATE } from './dictionary.ts'

/** The key of a record that a device has made. */
const RecordKey = z.object({ event_date: Day, device_id: DeviceId, device_seq: z.string() })

/** What the devices domain tells the others (chapter 30 §7, 90 §3). */
export const devicesEvents = {
  online: event('device.online', z.object({ device_id: DeviceId, at: Instant })),
  offline: event('device.offline', z.object({ device_id: DeviceId, at: Instant, reason: z.string() })),
  /** what it is doing has turned; null: it is retired */
  stateChanged: event('device.state_changed', z.object({ device_id: DeviceId, device_state: z.enum(DEVICE_STATE.codes).nullable(), at: Instant })),
  passRecorded: event('device.pass.recorded', RecordKey),
  cardRead: event('device.card.read', RecordKey),
  positionRecorded: event('device.position.recorded', RecordKey),
  recordLost: event('device.record.lost', z.object({ device_id: DeviceId, from: z.number().int(), to: z.number().int(), lost: z.number().int().optional() })),
  /** every record with device time up to `drained_to` is here */
  drained: event('device.drained', z.object({ device_id: DeviceId, drained_to: Instant })),
  /** a row was refused or given up; `sentence` says why, in Chinese */
  rowFailed: event('device.sync.row_failed', z.object({ device_id: DeviceId, kind: z.string(), row_key: z.string(), user_id: z.string().optional(), sentence: z.string() })),
  /** nothing of what a device was to be told waits any more */
  caughtUp: event('device.sync.caught_up', z.object({ device_id: DeviceId })),
  /** of people and permissions of a device nothing up to this version of its rows waits any more; what it refused is told by `row_failed` */
  rightsAcked: event('device.rights.acked', z.object({ device_id: DeviceId, version: z.number().int() })),
  /** a credential or a grant is on every device that is to have it, or, taken back, gone from every one that had it, as each of them has said; names are of their `source` */
  rowAcked: event('device.row.acked', z.object({ source: z.string(), source_ref: z.string() })),
  alarmRaised: event('device.alarm.raised', z.object({ device_id: DeviceId, alarm_kind: z.enum(alarm_kinds), place_id: PlaceId.nullable(), at: Instant })),
  alarmCleared: event('device.alarm.cleared', z.object({ device_id: DeviceId, alarm_kind: z.enum(alarm_kinds), at: Instant })),
  aiWarningRaised: event('device.ai_warning.raised', z.object({ warning_id: z.string(), warn_kind: z.enum(AI_WARN_KIND.codes), camera_device_id: DeviceId, place_id: PlaceId, at: Instant })),
  aiWarningDecided: event('device.ai_warning.decided', z.object({ warning_id: z.string(), state: z.enum(AI_WARN_STATE.codes), place_id: PlaceId, at: Instant })),
  /** people it is to hold have come over this share (in hundredths) of `most`, those without room counted */
  capacityWarned: event('device.capacity.warned', z.object({ device_id: DeviceId, share: z.union([z.literal(80), z.literal(100)]), persons: z.number().int(), most: z.number().int(), at: Instant })),
  /** its clock has begun to be more than a minute from ours; `skew_ms` is what it lacks */
  clockSkewed: event('device.clock.skewed', z.object({ device_id: DeviceId, skew_ms: z.number().int(), at: Instant })),
  /** every row was written anew and read back right */
  rebuilt: event('device.rebuilt', z.object({ device_id: DeviceId, at: Instant })),
  /** what its model takes was measured to be something else: whoever compiles rights looks at `device_profile_v` anew */
  profileChanged: event('device.profile_changed', z.object({ device_id: DeviceId, model_code: z.string(), at: Instant })),
  /** `new_device_id` stands where `device_id`, now retired, stood */
  replaced: event('device.replaced', z.object({ device_id: DeviceId, new_device_id: DeviceId, at: Instant })),
  firmwareUpdated: event('device.firmware.updated', z.object({ device_id: DeviceId, version: z.string(), at: Instant })),
  placed: event('device.placed', z.object({ device_id: DeviceId, place_id: PlaceId.nullable(), from: Instant })),
  boardShown: event('device.board.shown', z.object({ device_id: DeviceId, row_key: z.string(), hash: z.string() })),
  boardWithdrawn: event('device.board.withdrawn', z.object({ device_id: DeviceId, row_key: z.string() })),
  boardReceipt: event('device.board.receipt', z.object({ device_id: DeviceId, seq: z.number().int(), at_device: Instant, row_key: z.string(), hash: z.string(), state: z.string(), bytes_done: z.number().int().optional(), fault_code: z.string().optional(), detail: z.string().optional() })),
  boardStatus: event('device.board.status', z.object({ device_id: DeviceId, plan_hash: z.string().optional(), now_content_id: z.string().optional(), now_since: z.string().optional(), storage_free: z.number().optional(), storage_total: z.number().optional(), player_ver: z.string().optional(), secure_context: z.boolean().optional(), skew_ms: z.number().optional(), inventory_hash: z.string().optional() })),
  boardPlaystat: event('device.board.playstat', z.object({ device_id: DeviceId, seq: z.number().int(), rows: z.array(z.record(z.string(), z.unknown())) })),
  directionChanged: event('device.direction_changed', z.object({ device_id: DeviceId, direction: z.number().int() })),
}
