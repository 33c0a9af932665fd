import { DeviceId } from '@campus/devices/contract'
import { PlaceId } from '@campus/places/contract'
import { api, carried, choice, download, exportOf, flag, Done, get, Instant, keyword, list, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { ContentId, DeliveryRow } from './content.ts'
import { most_play_lines, PlayLine, playReport } from './play-stat.ts'
import { TemplateId, TemplateZone } from './template.ts'

const count = z.number().int()
export const name_modes = { '0': '不显示姓名', '1': '姓+**', '2': '全名' } as const
/** Whether a board plays the newest plan, by its own word. */
export const plan_states = { '1': '最新', '2': '待更新', '3': '未回执' } as const
/** Faults that boards report (chapter 60 §2.4) and those of fetching files (30 §2.8). */
export const fault_texts: Readonly<Record<string, string>> = {
  '1': '文件校验失败',
  '2': '解码失败',
  '3': '空间不足',
  '4': '时钟偏差',
  '5': '计划崩溃已回退',
  '6': '存储不可用',
  '7': '页面未启用离线（非安全连接）',
  '8': '播放停滞',
  corrupt: '文件校验失败',
  decode: '解码失败',
  storage: '空间不足',
  expired: '下载地址已过期',
  broken: '下载中断',
}
export const no_space_codes: readonly string[] = ['3', 'storage']

/** A board as it last reported itself; null as long as it has said nothing. */
export const BoardRow = z.object({
  device_id: DeviceId,
  device_name: z.string(),
  device_type: z.string(),
  place_id: PlaceId.nullable(),
  node_path_name: z.string().nullable(),
  class_name: z.string().nullable(),
  online: z.boolean(),
  last_contact_at: Instant.nullable(),
  template_id: TemplateId.nullable(),
  template_name: z.string(),
  name_mode: count,
  plan_version: count.nullable(),
  plan_at: Instant.nullable(),
  playing_version: count.nullable(),
  reported_at: Instant.nullable(),
  plan_state: z.enum(['1', '2', '3']),
  now_title: z.string().nullable(),
  fault_text: z.string().nullable(),
  secure_context: z.boolean().nullable(),
  storage_free_mb: count.nullable(),
  storage_total_mb: count.nullable(),
  player_version: z.string().nullable(),
  screenshot_url: z.string().nullable(),
  playing: count,
  loading: count,
  faulty: count,
  stopping: count,
  is_paired: z.boolean(),
})
export type BoardRow = z.output<typeof BoardRow>
export const boardList = list({
  title: '班牌',
  unit: '块',
  row: BoardRow,
  key: 'device_id',
  columns: {
    device_name: { label: '班牌', width: 150 },
    node_path_name: { label: '位置', width: 200 },
    class_name: { label: '班级', width: 110 },
    template_name: { label: '模板', width: 120 },
    plan_state: { label: '计划', width: 84, names: plan_states },
    now_title: { label: '正在播放', width: 160 },
    fault_text: { label: '故障', width: 140 },
    reported_at: { label: '最近回执', width: 132, kind: 'instant' },
  },
  filters: {
    keyword: keyword('班牌/位置'),
    plan_state: choice('计划', plan_states),
    online: flag('在线', { 1: '在线', 0: '离线' }),
    fault: flag('故障'),
    template_id: carried('模板', TemplateId),
    place_id: carried('场所', PlaceId),
  },
})

const Body = z.record(z.string(), z.unknown())
const Waiting = z.object({ content_id: ContentId, title: z.string(), why: z.string() })
export const ShownZone = z.object({
  zone: z.string(),
  title: z.string(),
  module: z.string(),
  content_id: ContentId.nullable(),
  content_title: z.string().nullable(),
  frame: count,
  body: Body.nullable(),
  why: z.string(),
  until: Instant.nullable(),
  waiting: z.array(Waiting),
})
export type ShownZone = z.output<typeof ShownZone>
/** What a board shows at an instant, by the plan that it has (`plan_version`) or is to have. */
export const BoardPreview = z.object({
  at: Instant,
  plan_version: count.nullable(),
  is_newest: z.boolean(),
  orientation: count,
  zones: z.array(TemplateZone),
  urgent: ShownZone.nullable(),
  full: ShownZone.nullable(),
  ticker: ShownZone.nullable(),
  shown: z.array(ShownZone),
  urls: z.record(z.string(), z.string()),
  modules: Body,
  class_name: z.string().nullable(),
})
export type BoardPreview = z.output<typeof BoardPreview>

const view = { need: 'publishing.board.view', within: 'place' } as const
const edit = { need: 'publishing.board.edit', within: 'place' } as const
const urgent = { need: 'publishing.board.urgent', within: 'place' } as const
const ById = z.object({ id: DeviceId })
const Boards = z.array(DeviceId).min(1, { error: '请选择班牌' }).max(300)
const Reason = z.string().trim().min(1, { error: '请填写原因' }).max(200)
const PlanRow = z.object({
  version: count,
  hash: z.string(),
  reason: z.string(),
  compiled_at: Instant,
  superseded_at: Instant.nullable(),
  items: count,
  files: count,
  bytes_total: count,
  is_playing: z.boolean(),
})

/** Boards of classes and screens as what they show (chapter 60 §4.7); their hardware is of devices. */
export const classBoardApi = api('iot', 'publishing.board', {
  list: get('classBoard/list', { query: boardList.query, reply: boardList.reply, ...view }),
  deliveries: get('classBoard/:id/deliveries', { params: ById, query: PageQuery, reply: page(DeliveryRow), ...view }),
  plans: get('classBoard/:id/plans', { params: ById, reply: z.object({ list: z.array(PlanRow) }), ...view }),
  preview: get('classBoard/:id/preview', {
    params: ById,
    query: z.object({ at: Instant, newest: z.enum(['0', '1']).default('0') }),
    reply: BoardPreview,
    ...view,
  }),
  playstat: get('classBoard/playstat', { query: playReport.query, reply: playReport.reply, ...view }),
  playstat_export: exportOf(playReport.sheet, 'classBoard/playstat/export', view),
  update: put('classBoard/:id', {
    params: ById,
    body: z.strictObject({ name_mode: z.number().int().min(0).max(2) }),
    reply: Done,
    ...edit,
  }),
  refresh: post('classBoard/refresh', {
    body: z.strictObject({ device_ids: Boards }),
    reply: z.object({ changed: count }),
    op: 4,
    ...edit,
  }),
  urgent: post('classBoard/urgent', {
    body: z.strictObject({
      device_ids: Boards,
      text: z.string().trim().min(1, { error: '请填写插播文字' }).max(300, { error: '插播文字超过300个字' }),
      minutes: z.number({ error: '请填写时长' }).int().min(1, { error: '时长为1到1440分钟' }).max(1440, { error: '时长为1到1440分钟' }),
      reason: Reason,
    }),
    reply: z.object({ content_id: ContentId, boards: count }),
    op: 4,
    ...urgent,
  }),
  urgent_stop: post('classBoard/urgent/stop', {
    body: z.strictObject({ device_ids: Boards, reason: Reason }),
    reply: z.object({ stopped: count }),
    op: 4,
    ...urgent,
  }),
  pair: post('classBoard/pair', {
    body: z.strictObject({ device_id: DeviceId }),
    reply: z.object({ code: z.string(), path: z.string(), expires_at: Instant }),
    op: 4,
    tells_secret: true,
    need: 'publishing.board.pair',
    within: 'place',
  }),
})

/** A word of a player on a row that it holds (30 §2.8). */
export const PlayerWord = z.strictObject({
  seq: z.number().int().min(1),
  at: Instant,
  row_key: z.string().regex(/^(plan|(revoke|urgent):[\w-]{1,100}|file:[0-9a-f]{64})$/),
  hash: z.string().max(64),
  state: z.enum(['accepted', 'downloading', 'staged', 'playing', 'stopped', 'erased', 'fault']),
  bytes_done: z.number().int().min(0).optional(),
  fault_code: z.string().max(40).optional(),
  detail: z.string().max(200).optional(),
})
export type PlayerWord = z.output<typeof PlayerWord>
const PlayerStatus = z.strictObject({
  plan_hash: z.string().max(64).optional(),
  now_content_id: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .optional(),
  secure_context: z.boolean().optional(),
  player_ver: z.string().max(40).optional(),
  storage_free_mb: z.number().int().min(0).optional(),
  storage_total_mb: z.number().int().min(0).optional(),
})
export type PlayerStatus = z.output<typeof PlayerStatus>
const FileRef = z.object({ sha256: z.string(), mime: z.string(), bytes: count })
const Told = z.object({
  plan_version: count,
  plan_hash: z.string(),
  plan: Body,
  files: z.array(FileRef),
  revoked: z.array(z.object({ content_id: ContentId, sha256: z.array(z.string()) })),
})
export type PlayerPlan = z.output<typeof Told>

/** Calls of the player page; its credential stands in the Authorization header (chapter 60 §4.8). */
export const playerApi = api('iot', 'publishing.player', {
  pair: post('player/pair', {
    body: z.strictObject({ enrol_code: z.string().trim().min(3).max(40) }),
    reply: z.object({ credential: z.string(), device_id: DeviceId, device_name: z.string() }),
    auth: 'device',
    op: 4,
    tells_secret: true,
  }),
  plan: get('player/plan', { reply: Told, auth: 'device', tagged: true }),
  file: get('player/file/:sha256', { params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }), reply: download, auth: 'device' }),
  receipts: post('player/receipts', {
    body: z.strictObject({
      epoch: z.string().min(1).max(64),
      words: z.array(PlayerWord).max(200),
      status: PlayerStatus,
      plays: z.array(PlayLine).max(most_play_lines).default([]),
    }),
    reply: Done,
    auth: 'device',
    unlogged: '播放端回执，每次都很小且很频繁',
  }),
})
