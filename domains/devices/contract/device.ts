import { PlaceId } from '@campus/places/contract'
import { api, filter, get, Instant, page, PageQuery, post, put, QueryFlag, queryList, sheet } from '@kit/contract'
import { checkIpv4, checkNoSpecial, trimName } from '@kit/contract/checks'
import type { Check } from '@kit/contract/checks'
import { z } from 'zod'
import { DeviceAdoption } from './adoption.ts'
import { DeviceAlarm } from './alarm.ts'
import { DeviceId } from './device-id.ts'
import { DEVICE_STATE, DEVICE_TYPE } from './dictionary.ts'
import { Reason } from './reason.ts'
import { SyncCounts } from './sync.ts'

/** Devices of one request (chapter 30 §4). */
export const most_devices = 300
/** Enrol codes made in one go, and how long they may last, in minutes. */
const [most_codes, longest_code_min] = [50, 1440]

/** A text with the verdict of a shared check. */
function checked(check: Check, error: string) {
  return z.string({ error }).overwrite(trimName).superRefine((text, context) => {
    const verdict = check(text)
    if (verdict) context.addIssue({ code: 'custom', message: verdict })
  })
}

const DeviceType = z.enum(DEVICE_TYPE.codes, { error: '请选择设备类型' })
const Direction = z.coerce.number().pipe(z.union([z.literal(1), z.literal(2), z.literal(3)], { error: '请选择方向' }))
const Version = z.number().int()
const Sn = z.string({ error: '请填写序列号' }).overwrite(trimName).regex(/^[A-Za-z0-9_-]{1,64}$/, { error: '设备序列号由1到64位字母、数字、下划线和短横线组成' })
const DeviceName = checked(checkNoSpecial, '请填写设备名称').min(1, { error: '请填写设备名称' }).max(50, { error: '超过50个字' })
const Ip = checked(checkIpv4, 'IP地址不合法').nullable()
const Mac = z.string().regex(/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/, { error: 'MAC地址格式为00:11:22:33:44:55' }).nullable()
const Note = z.string().trim().max(200, { error: '超过200个字' }).nullable()

/** A kind of hardware that the product knows, with what it can and how much it holds. */
export const DeviceModel = z.object({
  model_code: z.string(),
  model_name: z.string(),
  device_type: DeviceType,
  /** how it is spoken to: `jdev`, `vf105`, `gateway_child`, `camera`, `manual`, or a family that came later (chapter 31 §4) */
  driver: z.string(),
  limits: z.record(z.string(), z.unknown()),
  limits_source: z.enum(['documented', 'measured', 'assumed']),
  firmware_kinds: z.array(z.string()),
})
export type DeviceModel = z.output<typeof DeviceModel>

/** A device as it is told; `device_state` is computed (chapter 30 §1.2), times are null as long as it has not connected; `confirming_since`: the broker was away, and nobody knows yet whether it is still there. */
export const Device = z.object({
  device_id: DeviceId,
  device_sn: z.string(),
  device_name: z.string(),
  device_type: DeviceType,
  model_code: z.string(),
  model_name: z.string(),
  driver: DeviceModel.shape.driver,
  parent_device_id: DeviceId.nullable(),
  parent_name: z.string().nullable(),
  lifecycle: z.enum(['pending', 'active', 'disabled', 'retired']),
  device_state: z.enum(DEVICE_STATE.codes).nullable(),
  online_since: Instant.nullable(),
  last_seen_at: Instant.nullable(),
  offline_reason: z.string().nullable(),
  confirming_since: Instant.nullable(),
  fault_code: z.string().nullable(),
  clock_skew_ms: z.number().int().nullable(),
  is_push: z.boolean(),
  ip: z.string().nullable(),
  mac: z.string().nullable(),
  firmware_version: z.string().nullable(),
  app_version: z.string().nullable(),
  note: z.string().nullable(),
  place_id: PlaceId.nullable(),
  place_name: z.string().nullable(),
  node_path_name: z.string().nullable(),
  direction: Direction.nullable(),
  row_version: Version,
})
export type Device = z.output<typeof Device>

/** A device as lists have it, with what became of its rows, how many differences nobody has settled and when it was read back whole (null: not within the last two days, which proves nothing); `is_planned_off`: its rule has switched it off; `maintained_until`: somebody works at it until then, so that nobody misses it. */
export const DeviceListed = Device.extend({ sync: SyncCounts, is_planned_off: z.boolean(), maintained_until: Instant.nullable(), drift: z.number().int(), proof_at: Instant.nullable() })
export type DeviceListed = z.output<typeof DeviceListed>

export const DeviceDraft = z.strictObject({
  device_sn: Sn,
  device_name: DeviceName,
  device_type: DeviceType,
  model_code: z.string({ error: '请选择型号' }).min(1, { error: '请选择型号' }),
  place_id: PlaceId.nullable().default(null),
  direction: Direction.default(3),
  parent_device_id: DeviceId.nullable().default(null),
  ip: Ip.default(null),
  mac: Mac.default(null),
  note: Note.default(null),
})
export type DeviceDraft = z.output<typeof DeviceDraft>

/** What changes of a device; where it stands is changed by placing it, what it does by its own calls. */
const DevicePatch = z.strictObject({ row_version: Version, device_name: DeviceName.optional(), parent_device_id: DeviceId.nullable().optional(), ip: Ip.optional(), mac: Mac.optional(), note: Note.optional() })

/** What a new device is set up with; the secret is told once and never again. `setup_qr`: the same as a picture that the device reads, where it can and the installation has the key. */
export const DeviceSetup = z.object({ client_id: z.string(), secret: z.string(), topic_prefix: z.string(), setup_text: z.string(), setup_qr: z.string().optional() })
export type DeviceSetup = z.output<typeof DeviceSetup>

/** Where devices find the broker, and under which topics. */
const DeviceServer = z.object({ host: z.string(), port: z.string(), is_tls: z.boolean(), topic_prefix: z.string() })

/** Where a device stood, from and until (exclusive, null: still); `then_name`: what that was called at the beginning, when it has another name today. */
export const DevicePlacement = z.object({ place_id: PlaceId, node_path_name: z.string(), then_name: z.string().nullable(), direction: Direction, valid_from: Instant, valid_to: Instant.nullable() })
/** One turn of a device's line. */
export const DeviceLink = z.object({ at: Instant, kind: z.enum(['online', 'offline', 'kicked', 'refused']), reason: z.string().nullable(), client_ip: z.string().nullable() })

/** A clock that is wrong: since when, when the device was last told the time and how often in vain, and why it did not take it; `is_settable`: it is told the time from here at all. */
export const DeviceClock = z.object({ wrong_since: Instant, skew_ms: z.number().int(), asked_at: Instant.nullable(), asked_times: z.number().int(), refusal: z.string().nullable(), is_settable: z.boolean() })
export type DeviceClock = z.output<typeof DeviceClock>

const byId = z.object({ id: DeviceId })
const view = { need: 'devices.device.view', within: 'place' } as const
const edit = { need: 'devices.device.edit', within: 'place' } as const
const Told = z.object({ device: Device })
const Stated = z.strictObject({ device_id: DeviceId, row_version: Version })
const Ids = z.array(DeviceId).min(1, { error: '请选择设备' }).max(most_devices, { error: `一次最多处理${most_devices}台设备` })

/** What devices are looked for by. */
const asked = {
  device_type: filter(DeviceType),
  place_id: filter(PlaceId),
  device_state: filter(z.enum(DEVICE_STATE.codes)),
  model_code: filter(z.string().max(30)),
  retired: filter(QueryFlag),
  queue: filter(QueryFlag),
  drift: filter(QueryFlag),
  keyword: filter(z.string().trim().max(64)),
}

/** In which order devices are listed (chapter 30 §4); without one 故障优先: gates in trouble, other trouble, then by kind and place. */
export const device_sorts = { trouble: '故障优先', place: '按场所', name: '按名称', seen: '最久未联系' } as const
const Sort = z.enum(['trouble', 'place', 'name', 'seen'])
export type DeviceSort = z.output<typeof Sort>

/** The registry of devices (chapter 30 §4). */
export const deviceApi = api('iot', 'devices.device', {
  models: get('device/models', { reply: z.object({ list: z.array(DeviceModel) }), ...view }),
  list: get('device/list', {
    query: PageQuery.extend({ ...asked, can_parent: filter(QueryFlag), device_types: queryList(DeviceType, DEVICE_TYPE.codes.length).optional(), sort: filter(Sort) }),
    reply: page(DeviceListed),
    ...view,
  }),
  export: post('device/export', { body: z.strictObject(asked), reply: sheet, need: 'devices.device.export', within: 'place', op: 7 }),
  status: get('device/status', {
    query: z.object({ ids: queryList(DeviceId, most_devices).optional() }),
    reply: z.object({
      list: z.array(z.object({ device_id: DeviceId, device_state: z.enum(DEVICE_STATE.codes).nullable(), last_seen_at: Instant.nullable(), clock_skew_ms: z.number().int().nullable() })),
      counts: z.array(z.object({ device_type: DeviceType, device_state: z.enum(DEVICE_STATE.codes), count: z.number().int() })),
    }),
    ...view,
  }),
  unclaimed: get('device/unclaimed', { reply: z.object({ list: z.array(z.object({ device_sn: z.string(), client_ip: z.string(), at: Instant })), /** a VF105 can be shown a code of its first setup */ has_qr: z.boolean() }), ...edit }),
  detail: get('device/:id', { params: byId, reply: z.object({ device: Device, is_planned_off: z.boolean(), maintained_until: Instant.nullable(), placements: z.array(DevicePlacement), links: z.array(DeviceLink), alarms: z.array(DeviceAlarm), adoption: DeviceAdoption.nullable(), clock: DeviceClock.nullable() }), ...view }),
  create: post('device', { body: DeviceDraft, reply: z.object({ device: Device, setup: DeviceSetup.nullable() }), tells_secret: true, ...edit }),
  update: put('device/:id', { params: byId, body: DevicePatch, reply: Told, ...edit }),
  place: post('device/place', { body: z.strictObject({ device_id: DeviceId, place_id: PlaceId.nullable(), direction: Direction, from: Instant.optional(), reason: Reason.optional() }), reply: Told, op: 4, ...edit }),
  enable: post('device/enable', { body: Stated, reply: Told, op: 4, ...edit }),
  disable: post('device/disable', { body: Stated, reply: Told, op: 4, ...edit }),
  retire: post('device/retire', { body: Stated.extend({ reason: Reason, is_lost: z.boolean().default(false) }), reply: Told, op: 4, ...edit }),
  replace: post('device/replace', { body: Stated.extend({ device_sn: Sn, reason: Reason, is_lost: z.boolean().default(false) }), reply: z.object({ device: Device, setup: DeviceSetup.nullable() }), op: 4, tells_secret: true, ...edit }),
  ispush: post('device/ispush', { body: z.strictObject({ device_ids: Ids, is_push: z.union([z.literal(0), z.literal(1)]) }), reply: z.object({ changed: z.number().int() }), op: 4, ...edit }),
  secret: post('device/secret', { body: Stated, reply: z.object({ device: Device, setup: DeviceSetup }), op: 4, tells_secret: true, ...edit }),
  /** `device_sn`: whose first code is told as a picture for its camera too, where the installation can */
  enrol_code: post('device/enrol_code', {
    body: z.strictObject({ count: z.number().int().min(1, { error: '至少1个' }).max(most_codes, { error: `最多${most_codes}个` }), expires_min: z.number().int().min(5, { error: '至少5分钟' }).max(longest_code_min, { error: `最长${longest_code_min}分钟` }), device_sn: Sn.optional() }),
    reply: z.object({ codes: z.array(z.string()), expires_at: Instant, server: DeviceServer, setup_qr: z.string().optional() }),
    tells_secret: true, ...edit,
  }),
  claim: post('device/claim', { body: DeviceDraft, reply: Told, op: 4, ...edit }),
  adopt: post('device/adopt', { body: z.strictObject({ device_id: DeviceId }), reply: z.object({ adoption: DeviceAdoption }), op: 4, ...edit }),
})

