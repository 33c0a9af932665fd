import { DeviceId } from '@campus/devices/contract'
import { api, choice, Day, del, Done, get, id, Instant, keyword, list, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { PlayRuleId } from './play-rule.ts'
import { ZoneChange, ZoneScope, ZoneValue } from './zone-setting.ts'

export const ContentId = id('publishing.content')
const count = z.number().int()
/** What a content is made of; codes of the data model, those that are built. */
export const source_names = { '1': '图片视频', '2': '相册', '3': '通知', '4': '荣誉', '5': '食谱', '6': '倒计时', '7': '文字', '10': '课表' } as const
export const source = { files: 1, album: 2, post: 3, honour: 4, menu: 5, countdown: 6, text: 7, timetable: 10 } as const
export const content_states = { '0': '草稿', '1': '生效', '2': '已结束', '3': '已下架' } as const
export const content_state = { draft: 0, live: 1, over: 2, taken: 3 } as const
export const target_kinds = { '1': '场所', '2': '场所及下级', '3': '部门班级', '4': '全部班牌' } as const
export const target_kind = { place: 1, subtree: 2, dept: 3, all: 4 } as const
/** State of one content on one board, by what the board has said alone (chapter 60 §2.4). */
export const delivery_states = {
  '1': '排队',
  '2': '下载中',
  '3': '就绪',
  '4': '播放中',
  '5': '空间不足',
  '6': '故障',
  '7': '下架中',
  '8': '已停播',
  '9': '已清除',
} as const
export const delivery = { queued: 1, loading: 2, ready: 3, playing: 4, no_space: 5, fault: 6, stopping: 7, stopped: 8, erased: 9 } as const
export const most_files = 30
/** What boards can play. */
export const playable_mime = /^(image\/(jpeg|png|gif|webp)|video\/mp4|application\/pdf)$/

export const ContentTarget = z.strictObject({
  mode: z.union([z.literal(1), z.literal(2)]).default(1),
  target: z.number().int().min(1).max(4),
  target_id: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .nullable()
    .default(null),
})
export type ContentTarget = z.output<typeof ContentTarget>
const File = z.strictObject({ file_key: z.string().min(1).max(200), name: z.string().trim().max(100).default('') })
const Targets = z.array(ContentTarget).min(1, { error: '请选择播放位置' }).max(200)
/** Where and when, shared with countdowns. */
export const placing = {
  zone: z.string().regex(/^[a-z][a-z0-9_]{0,19}$/, { error: '请选择显示区域' }),
  rule_id: PlayRuleId.nullable().default(null),
  priority: z.number().int().min(1).max(9).default(5),
  targets: Targets,
}
export const ContentDraft = z.strictObject({
  title: z.string().trim().min(1, { error: '请填写标题' }).max(40, { error: '标题超过40个字' }),
  source_kind: z
    .number()
    .int()
    .refine(kind => String(kind) in source_names && kind !== source.countdown, { error: '请选择内容类型' }),
  source_id: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .nullable()
    .default(null),
  text: z.string().trim().max(300, { error: '文字超过300个字' }).default(''),
  files: z.array(File).max(most_files, { error: '文件超过30个' }).default([]),
  ...placing,
  weight: z.number().int().min(1).max(10).default(1),
  valid_from: Instant.nullable().default(null),
  valid_to: Instant.nullable().default(null),
  offline_ttl_hours: z.number().int().min(1, { error: '离线保留为1到720小时' }).max(720, { error: '离线保留为1到720小时' }).default(168),
})
export type ContentDraft = z.output<typeof ContentDraft>

const FileRow = z.object({ file_key: z.string(), name: z.string(), sha256: z.string(), bytes: count, mime: z.string(), url: z.string() })
export const ContentRow = z.object({
  id: ContentId,
  title: z.string(),
  source_kind: count,
  source_id: z.string().nullable(),
  text: z.string(),
  files: z.array(FileRow),
  zone: z.string(),
  rule_id: PlayRuleId.nullable(),
  rule_name: z.string().nullable(),
  priority: count,
  weight: count,
  valid_from: Instant,
  valid_to: Instant.nullable(),
  offline_ttl_hours: count,
  urgent: z.boolean(),
  /** made by publishing a resource of the library */ resource_id: z.string().nullable(),
  state: count,
  targets: z.array(ContentTarget.extend({ name: z.string() })),
  take_reason: z.string().nullable(),
  row_version: count,
  /** boards: all, and how many in which delivery state */
  boards: count,
  playing: count,
  loading: count,
  faulty: count,
  stopping: count,
  stopped: count,
  erased: count,
})
export type ContentRow = z.output<typeof ContentRow>

const targetsText = (row: ContentRow) => row.targets.map(one => `${one.mode === 2 ? '不含' : ''}${one.name}`).join('、')
/** How far a content has come, in words of what boards have said. */
export function deliveryText({ boards, playing, loading, faulty, stopping, stopped, erased, state }: ContentRow): string {
  if (state === content_state.draft) return ''
  if (stopping + stopped + erased > 0 && state !== content_state.live)
    return `已停播 ${stopped + erased}/${boards} · 已清除 ${erased}/${boards}`
  return [`播放 ${playing}/${boards}`, loading > 0 && `下载 ${loading}`, faulty > 0 && `故障 ${faulty}`].filter(Boolean).join(' · ')
}

export const contentList = list({
  title: '班牌内容',
  row: ContentRow,
  key: 'id',
  columns: {
    title: { label: '标题', width: 180 },
    source_kind: { label: '类型', width: 84, names: source_names },
    zone: { label: '区域', width: 84 },
    targets: { label: '播放位置', width: 180, text: targetsText },
    priority: { label: '优先级', width: 68, kind: 'number' },
    rule_name: { label: '播放规则', width: 110 },
    valid_from: { label: '开始', width: 132, kind: 'instant' },
    valid_to: { label: '结束', width: 132, kind: 'instant' },
    state: { label: '状态', width: 84, names: content_states },
    delivery: { label: '送达', width: 180, text: deliveryText },
  },
  filters: { keyword: keyword('标题'), source_kind: choice('类型', source_names), state: choice('状态', content_states) },
})

/** One content on one board. `lease_until`: until when a board that is away may still show it. */
export const DeliveryRow = z.object({
  device_id: DeviceId,
  device_name: z.string(),
  node_path_name: z.string().nullable(),
  online: z.boolean(),
  last_contact_at: Instant.nullable(),
  content_id: ContentId,
  title: z.string(),
  state: count,
  bytes_done: count,
  bytes_total: count,
  fault_text: z.string().nullable(),
  first_played_at: Instant.nullable(),
  last_played_at: Instant.nullable(),
  stop_requested_at: Instant.nullable(),
  stopped_at: Instant.nullable(),
  erased_at: Instant.nullable(),
  lease_until: Instant.nullable(),
})
export type DeliveryRow = z.output<typeof DeliveryRow>

const view = { need: 'publishing.content.view', within: 'place' } as const
const edit = { need: 'publishing.content.edit', within: 'place' } as const
const publish = { need: 'publishing.content.publish', within: 'place' } as const
const ById = z.object({ id: ContentId })
const Ids = z.array(ContentId).min(1, { error: '请选择内容' }).max(100)

/** Contents of boards, their publishing and taking down (chapter 60 §4.7). */
export const contentApi = api('iot', 'publishing.content', {
  list: get('content/list', { query: contentList.query, reply: contentList.reply, ...view }),
  add: post('content/add', { body: ContentDraft, reply: z.object({ id: ContentId }), ...edit }),
  update: put('content/:id', { params: ById, body: ContentDraft.extend({ row_version: count }), reply: Done, ...edit }),
  remove: del('content/:id', { params: ById, reply: Done, ...edit }),
  publish: post('content/publish', { body: z.strictObject({ ids: Ids }), reply: z.object({ boards: count }), op: 4, ...publish }),
  takedown: post('content/takedown', {
    body: z.strictObject({ ids: Ids, reason: z.string().trim().min(1, { error: '请填写下架原因' }).max(200) }),
    reply: z.object({ online: count, offline: count, latest: Instant.nullable() }),
    op: 4,
    ...publish,
  }),
  delivery: get('content/:id/delivery', { params: ById, query: PageQuery, reply: page(DeliveryRow), ...view }),
  zones: get('zone_setting/list', { query: ZoneScope, reply: z.object({ list: z.array(ZoneValue) }), ...view }),
  saveZone: post('zone_setting/save', { body: ZoneChange, reply: Done, op: 4, ...edit }),
  week: get('content/week', {
    query: z.object({ from: Day }),
    reply: z.object({
      list: z.array(
        z.object({
          id: ContentId,
          title: z.string(),
          priority: count,
          zone: z.string(),
          valid_from: Instant,
          valid_to: Instant.nullable(),
          rule_name: z.string().nullable(),
        }),
      ),
    }),
    ...view,
  }),
})
