import { command_states, DeviceId } from '@campus/devices/contract'
import { PlaceId } from '@campus/places/contract'
import { api, filter, get, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'

/** What a door can be told (chapter 35 §1.3 door_command). */
export const door_kinds = { 1: '开门', 2: '保持常开', 3: '锁定', 4: '恢复', 5: '疏散全开', 6: '封闭' } as const
/** OPEN_REASON. */
export const open_reasons = { 1: '忘带卡', 2: '访客', 3: '送货', 4: '设备故障', 5: '应急', 9: '其他' } as const
export const door_sources = { 1: '控制台', 2: '门牌二维码', 3: '疏散与封闭' } as const
/** What has to be typed before every door of the edge of the campus is told something. */
export const emergency_words = { 5: '疏散', 6: '封闭' } as const
/** How a door is because it was told so. */
export const door_modes = { normal: '按规则', held: '常开', locked: '锁定', evacuated: '疏散常开', sealed: '封闭' } as const
const [most_doors, most_codes] = [50, 200] as const

const Reason = z.string({ error: '请填写开门原因' }).trim().min(2, { error: '请填写开门原因，2到100个字' }).max(100, { error: '请填写开门原因，2到100个字' })
const ReasonCode = z.enum(['1', '2', '3', '4', '5', '9'], { error: '请选择开门原因' })
const Doors = z.array(DeviceId).min(1, { error: '请选择门' }).max(most_doors, { error: `一次最多${most_doors}个门` })
const CommandState = z.enum(['QUEUED', 'SENT', 'SUCCESSFUL', 'FAILED', 'TIMEOUT', 'EXPIRED'])
const Kind = z.literal([1, 2, 3, 4, 5, 6])

/** One command to a door; no state: it is older than what is kept of devices. */
export const DoorCommandRow = z.object({
  command_id: z.uuid(), device_id: DeviceId, device_name: z.string(), place_name: z.string().nullable(), kind: Kind, reason_code: z.string(), reason: z.string(), source: z.number().int(),
  hold_until: Instant.nullable(), asked_at: Instant, by_name: z.string().nullable(), state: CommandState.nullable(), seconds: z.number().nullable(), reply_text: z.string().nullable(),
})
export type DoorCommandRow = z.output<typeof DoorCommandRow>
/** The words of a state. */
export const commandStateText = (state: DoorCommandRow['state']): string => (state === null ? '已归档' : command_states[state])

/** A door with how it is now. */
export const DoorRow = z.object({
  device_id: DeviceId, device_name: z.string(), place_id: PlaceId, place_name: z.string(), node_path_name: z.string(), direction: z.number().int(), is_perimeter: z.boolean(), online: z.boolean(),
  /** what its hardware can be told */
  can: z.array(z.string()),
  mode: z.enum(['normal', 'held', 'locked', 'evacuated', 'sealed']),
  mode_until: Instant.nullable(),
  last_command: z.object({ kind: Kind, state: CommandState.nullable(), seconds: z.number().nullable(), asked_at: Instant }).nullable(),
  last_pass: z.object({ user_name: z.string().nullable(), at: Instant, result: z.number().int(), direction: z.number().int() }).nullable(),
})
export type DoorRow = z.output<typeof DoorRow>

/** What goes on at every door of the edge of a school. */
export const Emergency = z.object({ emergency_id: z.uuid(), kind: z.literal([5, 6]), reason: z.string(), begun_at: Instant, by_name: z.string().nullable(), doors: z.number().int(), done: z.number().int(), waiting: z.number().int() })
export type Emergency = z.output<typeof Emergency>
const Told = z.object({ list: z.array(z.object({ device_id: DeviceId, command_id: z.uuid() })) })

const view = { need: 'access.door.view', within: 'place' } as const

/** Remote control of doors (chapter 35 §4, R53). Nothing is kept for a door that is not there. */
export const doorApi = api('iot', 'access.door', {
  list: get('door/list', { query: z.object({ keyword: filter(z.string().max(50)) }), reply: z.object({ list: z.array(DoorRow), emergency: Emergency.nullable() }), ...view }),
  open: post('door/command', { body: z.strictObject({ device_ids: Doors, reason_code: ReasonCode, reason: Reason }), reply: Told, op: 4, need: 'access.door.open', within: 'place' }),
  hold: post('door/hold', { body: z.strictObject({ device_ids: Doors, kind: z.literal([2, 3, 4]), reason_code: ReasonCode, reason: Reason, hold_until: Instant.nullable().default(null) }), reply: Told, op: 4, need: 'access.door.hold', within: 'place' }),
  emergency: post('door/emergency', { body: z.strictObject({ kind: z.literal([4, 5, 6]), word: z.string().max(10).default(''), reason: Reason }), reply: z.object({ emergency: Emergency.nullable(), doors: z.number().int(), told: z.number().int() }), op: 4, need: 'access.door.emergency' }),
  commands: get('door/command/list', { query: PageQuery.extend({ device_id: filter(DeviceId) }), reply: page(DoorCommandRow), ...view }),
  /** what every page of the console says while it goes on */
  state: get('door/emergency', { reply: z.object({ emergency: z.object({ kind: z.literal([5, 6]), reason: z.string(), begun_at: Instant }).nullable() }), session: true }),
})

export const DoorQrRow = z.object({ device_id: DeviceId, device_name: z.string(), place_name: z.string(), enabled: z.boolean(), token: z.string().nullable(), token_version: z.number().int(), last_used_at: Instant.nullable() })
export type DoorQrRow = z.output<typeof DoorQrRow>
const qrEdit = { need: 'access.door_qr.edit', within: 'place' } as const
const Codes = z.array(DeviceId).min(1, { error: '请选择门' }).max(most_codes, { error: `一次最多${most_codes}个门` })

/** Codes at doors: who scans one is decided on like at the door itself; the code alone opens nothing. */
export const doorQrApi = api('iot', 'access.door_qr', {
  list: get('door_qr/list', { query: z.object({ keyword: filter(z.string().max(50)) }), reply: z.object({ list: z.array(DoorQrRow) }), need: 'access.door_qr.view', within: 'place' }),
  enable: post('door_qr/enable', { body: z.strictObject({ device_ids: Codes, enabled: z.boolean() }), reply: z.object({ changed: z.number().int() }), op: 4, ...qrEdit }),
  rotate: post('door_qr/rotate', { body: z.strictObject({ device_ids: Codes }), reply: z.object({ changed: z.number().int() }), op: 4, ...qrEdit }),
  open: post('door_qr/open', { body: z.strictObject({ token: z.string().regex(/^[\w-]{16,32}$/, { error: '二维码无效，请扫描门上最新的二维码' }) }), reply: z.object({ place_name: z.string(), command_id: z.uuid() }), op: 4, session: true }),
})
