import { PlaceId } from '@campus/places/contract'
import { api, Day, del, download, filter, get, Instant, page, PageQuery, post, put, QueryFlag, SchoolId } from '@kit/contract'
import { z } from 'zod'
import { DeviceDraft, Device } from './device.ts'
import { DeviceId } from './device-id.ts'
import { DEVICE_STATE } from './dictionary.ts'

/** Codecs a camera may send. */
export const codec_names = { h264: 'H.264', h265: 'H.265', mjpeg: 'MJPEG' } as const
/** What a camera watches: a gate (two cameras at most), a room, or the box that looks through it. */
export const bind_names = { gate: '通道', room: '场所', box: 'AI盒子' } as const
const [most_channels, longest_address] = [512, 500]

const Channel = z.coerce.number({ error: '请填写通道号' }).int({ error: '通道号是整数' }).min(1, { error: '通道号从1开始' }).max(most_channels, { error: `通道号不大于${most_channels}` }).nullable()
/** Where the picture comes from, with name and password: it is taken in and never told again. */
export const StreamAddress = z.string().trim().max(longest_address, { error: `取流地址超过${longest_address}个字` }).regex(/^(rtsps?|rtmps?|https?):\/\/[^\s/]+/u, { error: '取流地址以rtsp://、rtmp://或http(s)://开头' })
const Codec = z.enum(['h264', 'h265', 'mjpeg']).nullable()

/** What a camera watches since when. */
export const CameraBinding = z.object({ bind_kind: z.enum(['gate', 'room', 'box']), target_id: z.string(), target_name: z.string(), valid_from: Instant, valid_to: Instant.nullable() })
export type CameraBinding = z.output<typeof CameraBinding>

/** A camera as it is told. Of its stream address only whether there is one. `bindings`: those of this moment. */
export const Camera = Device.pick({
  device_id: true, device_sn: true, device_name: true, model_code: true, lifecycle: true, device_state: true, online_since: true, last_seen_at: true, fault_code: true, note: true,
  place_id: true, place_name: true, node_path_name: true, row_version: true,
}).extend({
  nvr_device_id: DeviceId.nullable(),
  nvr_name: z.string().nullable(),
  channel: z.number().int().nullable(),
  has_stream: z.boolean(),
  codec: Codec,
  ptz: z.boolean(),
  snapshot_at: Instant.nullable(),
  bindings: z.array(CameraBinding),
})
export type Camera = z.output<typeof Camera>

/** What only cameras have. */
const own = { nvr_device_id: DeviceId.nullable(), channel: Channel, stream_url: StreamAddress.nullable(), codec: Codec, ptz: z.boolean() }

/** How the picture of a camera comes: from the media gateway, or as single pictures. */
export const live_kinds = ['hls', 'snapshot'] as const
/** A picture that is older is asked for anew, in seconds; cameras a wall shows at once at most. */
export const [shot_every_s, most_tiles] = [5, 16] as const
/** The way to a live picture: `url` works a minute, for who asked; null when there is no picture yet. `again_s`: when to ask again. */
export const CameraLive = z.object({
  camera_id: DeviceId,
  kind: z.enum(live_kinds),
  url: z.string().nullable(),
  expires_at: Instant,
  snapshot_at: Instant.nullable(),
  device_state: Device.shape.device_state,
  last_seen_at: Instant.nullable(),
  again_s: z.number().int(),
  /** who looks, for the mark on what he keeps */
  viewer: z.string(),
})
export type CameraLive = z.output<typeof CameraLive>

/** Somebody has watched a camera so many seconds. */
export const CameraView = z.object({ view_id: z.uuid(), camera_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), user_name: z.string().nullable(), kind: z.enum(live_kinds), begin_at: Instant, seconds: z.number().int() })
export type CameraView = z.output<typeof CameraView>

export const CameraDraft = z.strictObject({
  device_sn: DeviceDraft.shape.device_sn,
  device_name: DeviceDraft.shape.device_name,
  model_code: z.string().min(1).default('IPC-4M'),
  place_id: PlaceId,
  note: DeviceDraft.shape.note,
  nvr_device_id: own.nvr_device_id.default(null),
  channel: own.channel.default(null),
  stream_url: own.stream_url.default(null),
  codec: Codec.default(null),
  ptz: z.boolean().default(false),
})
export type CameraDraft = z.output<typeof CameraDraft>

/** What changes; a stream address that is left out stays, null takes it away. */
const CameraPatch = z.strictObject({ row_version: z.number().int(), device_name: DeviceDraft.shape.device_name.optional(), place_id: PlaceId.optional(), note: DeviceDraft.shape.note.unwrap().optional(), ...z.object(own).partial().shape })

/** What a camera is bound to: a gate or a place, and beside it the box that looks through it. */
const Bound = z.strictObject({ camera_id: DeviceId, device_id: DeviceId.optional(), place_id: PlaceId.optional(), box_id: DeviceId.optional() })
/** Which of its bindings end; without any, all of them. */
const CameraUnbind = Bound
const CameraBind = Bound.superRefine(({ device_id, place_id, box_id }, context) => {
  if (device_id !== undefined && place_id !== undefined) context.addIssue({ code: 'custom', path: ['place_id'], message: '通道和场所只能选择一个' })
  if (device_id === undefined && place_id === undefined && box_id === undefined) context.addIssue({ code: 'custom', path: ['device_id'], message: '请选择要绑定的通道、场所或AI盒子' })
})

const byId = z.object({ id: DeviceId })
const view = { need: 'devices.camera.view', within: 'place' } as const
const edit = { need: 'devices.camera.edit', within: 'place' } as const
const Told = z.object({ camera: Camera })

/** Cameras and what they watch (chapter 30 §4, rules 23 and 24). */
export const cameraApi = api('iot', 'devices.camera', {
  list: get('device/camera', {
    query: PageQuery.extend({ place_id: filter(PlaceId), nvr_device_id: filter(DeviceId), device_state: filter(z.enum(DEVICE_STATE.codes)), bound: filter(QueryFlag), keyword: filter(z.string().trim().max(64)) }),
    reply: page(Camera),
    ...view,
  }),
  detail: get('device/camera/:id', { params: byId, reply: z.object({ camera: Camera, history: z.array(CameraBinding) }), ...view }),
  create: post('device/camera', { body: CameraDraft, reply: Told, ...edit }),
  update: put('device/camera/:id', { params: byId, body: CameraPatch, reply: Told, ...edit }),
  remove: del('device/camera/:id', { params: byId, query: z.object({ row_version: z.coerce.number().int() }), reply: Told, ...edit }),
  test: post('device/camera/test', { body: z.strictObject({ camera_id: DeviceId }), reply: z.object({ ok: z.boolean(), text: z.string() }), op: 4, ...edit }),
  live: get('device/camera/:id/live', { params: byId, reply: CameraLive, need: 'devices.camera.live', within: 'place' }),
  watched: post('device/camera/watched', { body: z.strictObject({ camera_ids: z.array(DeviceId).min(1).max(most_tiles) }), reply: z.object({ ended: z.number().int() }), op: 13, need: 'devices.camera.live', within: 'place' }),
  views: get('device/camera/views', { query: PageQuery.extend({ camera_id: filter(DeviceId), keyword: filter(z.string().trim().max(50)), from: filter(Day), to: filter(Day) }), reply: page(CameraView), need: 'devices.camera.audit', within: 'place' }),
  bind: post('bind_camera', { body: CameraBind, reply: Told, op: 4, ...edit }),
  unbind: post('unbind_camera', { body: CameraUnbind, reply: Told, op: 4, ...edit }),
})

const Sign = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const At = z.string().regex(/^[0-9]{1,15}$/)
const most_shot_mb = 2

/** Single pictures of cameras: brought by a recorder under an address made for one picture, shown under one made for one viewer and a minute. */
export const cameraShotApi = api('iot', 'devices.camera_shot', {
  bring: post('device/camera/shot/:school_id/:id/:at/:sign', {
    params: z.object({ school_id: SchoolId, id: DeviceId, at: At, sign: Sign }),
    reply: z.object({ taken: z.boolean() }),
    upload: { max_mb: most_shot_mb, extensions: ['.jpg', '.jpeg'] },
    ticket: 'snapshot address',
    unlogged: '录像机每隔几秒送来一张画面，谁看过由观看记录说明',
  }),
  show: get('device/camera/shot/:school_id/:id', {
    params: z.object({ school_id: SchoolId, id: DeviceId }),
    query: z.object({ u: z.string().regex(/^[0-9]{1,18}$/), e: At, s: Sign, v: z.string().max(20).optional() }),
    reply: download,
    ticket: 'signed address',
  }),
})
