import { api, del, download, filter, get, Instant, page, PageQuery, post, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { most_devices } from './device.ts'
import { DeviceId } from './device-id.ts'

/** Kinds of packages, by the ending of their files. */
export const firmware_kinds = { jbn: '系统固件', jap: '应用程序', dpk: '设备程序', ad_zip: '广告图片' } as const
export const firmware_extensions = { jbn: '.jbn', jap: '.jap', dpk: '.dpk', ad_zip: '.zip' } as const
/** How far a device is (chapter 30 §2.5). */
export const upgrade_states = { QUEUED: '等待升级', INITIATED: '已通知设备', DOWNLOADING: '下载中', DOWNLOADED: '已下载', VERIFIED: '校验通过', UPDATING: '更新中', UPDATED: '已升级', FAILED: '失败', CANCELED: '已取消' } as const
export const task_states = { running: '进行中', held: '已暂停', done: '已完成', canceled: '已取消' } as const
/** The largest package, in MB. */
export const most_firmware_mb = 200

const Kind = z.enum(['jbn', 'jap', 'dpk', 'ad_zip'])
export type FirmwareKind = z.output<typeof Kind>
const State = z.enum(['QUEUED', 'INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING', 'UPDATED', 'FAILED', 'CANCELED'])
export type UpgradeState = z.output<typeof State>
const Id = z.string().regex(/^\d{1,18}$/u)
const Clock = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, { error: '时间格式为22:00' })
/** The version that a package brings, as devices tell it afterwards. */
export const FirmwareVersion = z.string({ error: '请填写版本号' }).trim().regex(/^[A-Za-z0-9._-]{1,40}$/u, { error: '版本号由1到40位字母、数字、点、下划线和短横线组成' })

/** What its maker says that a package is. */
export const FirmwareMd5 = z.string({ error: '请填写文件的MD5' }).trim().toLowerCase().regex(/^[0-9a-f]{32}$/u, { error: 'MD5为32位十六进制' })

/** The maker's signature of a package: Ed25519, in Base64. */
export const FirmwareSignature = z.string().trim().regex(/^[A-Za-z0-9+/]{86}==$/u, { error: '签名为88位Base64文本，请完整粘贴' })

/** A package that was uploaded; `tasks`: how many have brought it to devices. */
export const Firmware = z.object({ firmware_id: Id, model_codes: z.array(z.string()), kind: Kind, version: z.string(), file_name: z.string(), size: z.number().int(), sha256: z.string(), md5: z.string(), notes: z.string().nullable(), allow_downgrade: z.boolean(), is_signed: z.boolean(), uploaded_at: Instant, uploaded_by_name: z.string().nullable(), tasks: z.number().int() })
export type Firmware = z.output<typeof Firmware>

/** A task and how many devices are how far; `wave`: 1 one device, 2 a tenth, 3 all. */
export const FirmwareTask = z.object({
  task_id: Id, firmware_id: Id, version: z.string(), kind: Kind, state: z.enum(['running', 'held', 'done', 'canceled']), wave: z.number().int(), window_from: z.string().nullable(), window_to: z.string().nullable(), held_reason: z.string().nullable(),
  created_at: Instant, created_by_name: z.string().nullable(), ended_at: Instant.nullable(), devices: z.number().int(), updated: z.number().int(), failed: z.number().int(), running: z.number().int(), queued: z.number().int(),
})
export type FirmwareTask = z.output<typeof FirmwareTask>

/** A device within a task. */
export const UpgradeLine = z.object({
  task_id: Id, device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), online: z.boolean(), wave: z.number().int(), from_version: z.string().nullable(), to_version: z.string(), state: State, progress: z.number().int(), error: z.string().nullable(), changed_at: Instant,
})
export type UpgradeLine = z.output<typeof UpgradeLine>

/** What goes with a file: fields of a form are texts. */
const Upload = z.object({
  model_codes: z.string({ error: '请选择型号' }).transform(text => text.split(',').map(code => code.trim()).filter(Boolean)).pipe(z.array(z.string().max(30)).min(1, { error: '请选择型号' }).max(20)),
  version: FirmwareVersion,
  md5: FirmwareMd5,
  /** needed where a model of the package has its maker's key */
  signature: FirmwareSignature.optional(),
  notes: z.string().trim().max(500, { error: '超过500个字' }).optional(),
  allow_downgrade: z.enum(['0', '1']).default('0'),
})

const view = { need: 'devices.firmware.view' } as const
const edit = { need: 'devices.firmware.edit' } as const
const at_places = { within: 'place' } as const
const byId = z.object({ id: Id })
const Told = z.object({ task: FirmwareTask })
const differs = ({ window_from, window_to }: { window_from?: string | undefined; window_to?: string | undefined }) => window_from === undefined || window_from !== window_to

/** Firmware of devices (chapter 30 §4). */
export const firmwareApi = api('iot', 'devices.firmware', {
  list: get('firmware/list', { query: PageQuery.extend({ model_code: filter(z.string().max(30)), kind: filter(Kind) }), reply: page(Firmware), ...view }),
  upload: post('firmware', { body: Upload, reply: z.object({ firmware: Firmware }), upload: { max_mb: most_firmware_mb, extensions: Object.values(firmware_extensions) }, ...edit }),
  delete: del('firmware/:id', { params: byId, reply: z.object({ version: z.string() }), ...edit }),
  tasks: get('firmware/task/list', { query: PageQuery.extend({ state: filter(z.enum(['running', 'held', 'done', 'canceled'])) }), reply: page(FirmwareTask), ...view, ...at_places }),
  task: get('firmware/task/:id', { params: byId, query: PageQuery.extend({ state: filter(State) }), reply: page(UpgradeLine).extend({ task: FirmwareTask }), ...view, ...at_places }),
  create: post('firmware/task', {
    body: z.strictObject({ firmware_id: Id, device_ids: z.array(DeviceId).min(1, { error: '请选择设备' }).max(most_devices, { error: `一次最多处理${most_devices}台设备` }), window_from: Clock.optional(), window_to: Clock.optional() }).refine(differs, { error: '开始时间不能等于结束时间', path: ['window_to'] }),
    /** `skipped`: devices that have this version already */
    reply: Told.extend({ skipped: z.number().int() }), ...edit, ...at_places,
  }),
  cancel: post('firmware/task/:id/cancel', { params: byId, reply: Told, op: 4, ...edit, ...at_places }),
  retry: post('firmware/task/:id/retry', { params: byId, reply: Told, op: 4, ...edit, ...at_places }),
  history: get('device/:id/firmware', { params: z.object({ id: DeviceId }), query: PageQuery, reply: page(UpgradeLine), ...view, ...at_places }),
  /** the package, once, for the device that was given this address */
  fetch: get('device/firmware/:school_id/:ticket', { params: z.object({ school_id: SchoolId, ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/u) }), reply: download, ticket: 'firmware address' }),
})
