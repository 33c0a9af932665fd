import { DeviceId } from '@campus/devices/contract'
import { PlaceId } from '@campus/places/contract'
import { api, del, Done, filter, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'

export const TemplateId = id('publishing.template')
const count = z.number().int()
export const grid_size = 24
export const most_zones = 20

/** What a zone of a board shows of itself; contents are put over it (chapter 60 §5). */
export const zone_modules = {
  media: '图片视频',
  clock: '时钟',
  title: '班级名称',
  timetable: '课表',
  notice: '通知',
  honour: '荣誉',
  menu: '食谱',
  countdown: '倒计时',
  text: '文字',
} as const
export const orientation_names = { '1': '横屏 1920×1080', '2': '竖屏 1080×1920' } as const
export const template_states = { '0': '草稿', '1': '启用', '2': '停用' } as const

const cell = z.number().int().min(0).max(grid_size)
export const TemplateZone = z.strictObject({
  zone: z.string().regex(/^[a-z][a-z0-9_]{0,19}$/, { error: '区域代码只能用小写字母、数字' }),
  title: z.string().trim().min(1, { error: '请填写区域名称' }).max(12, { error: '区域名称超过12个字' }),
  module: z.enum(['media', 'clock', 'title', 'timetable', 'notice', 'honour', 'menu', 'countdown', 'text']),
  x: cell,
  y: cell,
  w: cell.min(1),
  h: cell.min(1),
  z: z.number().int().min(0).max(9).default(0),
})
export type TemplateZone = z.output<typeof TemplateZone>
export const TemplateDraft = z.strictObject({
  name: z.string().trim().min(1, { error: '请填写模板名称' }).max(30, { error: '名称超过30个字' }),
  orientation: z.number().int().min(1).max(2),
  state: z.number().int().min(0).max(2).default(1),
  zones: z.array(TemplateZone).min(1, { error: '请至少放置一个区域' }).max(most_zones, { error: '区域超过20个' }),
})
export type TemplateDraft = z.output<typeof TemplateDraft>
export const Template = z.object({
  id: TemplateId,
  name: z.string(),
  orientation: count,
  state: count,
  zones: z.array(TemplateZone),
  rev: count,
  in_use: count,
  updated_at: Instant,
  row_version: count,
})
export type Template = z.output<typeof Template>

/** What is wrong with zones: out of the canvas, or base zones (z 0) over one another; null when nothing is (chapter 60 §1.4). */
export function zoneFault(zones: readonly TemplateZone[]): string | null {
  const out = zones.find(({ x, y, w, h }) => x + w > grid_size || y + h > grid_size)
  if (out) return `“${out.title}”超出画布`
  const twice = zones.find((one, at) => zones.findIndex(other => other.zone === one.zone) !== at)
  if (twice) return `区域代码“${twice.zone}”重复`
  const base = zones.filter(one => one.z === 0)
  const pair = base.flatMap((a, at) =>
    base.slice(at + 1).flatMap(b => (a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h ? [[a, b]] : [])),
  )[0]
  return pair ? `“${pair[0]?.title}”和“${pair[1]?.title}”相互遮挡` : null
}

/** What a board shows that has no template of its own. */
export const usual_zones: Readonly<Record<1 | 2, readonly TemplateZone[]>> = {
  1: [
    { zone: 'title', title: '班级名称', module: 'title', x: 0, y: 0, w: 16, h: 3, z: 0 },
    { zone: 'clock', title: '时钟', module: 'clock', x: 16, y: 0, w: 8, h: 3, z: 0 },
    { zone: 'media', title: '图片视频', module: 'media', x: 0, y: 3, w: 16, h: 21, z: 0 },
    { zone: 'timetable', title: '课表', module: 'timetable', x: 16, y: 3, w: 8, h: 13, z: 0 },
    { zone: 'honour', title: '荣誉', module: 'honour', x: 16, y: 16, w: 8, h: 8, z: 0 },
  ],
  2: [
    { zone: 'title', title: '班级名称', module: 'title', x: 0, y: 0, w: 16, h: 2, z: 0 },
    { zone: 'clock', title: '时钟', module: 'clock', x: 16, y: 0, w: 8, h: 2, z: 0 },
    { zone: 'media', title: '图片视频', module: 'media', x: 0, y: 2, w: 24, h: 12, z: 0 },
    { zone: 'timetable', title: '课表', module: 'timetable', x: 0, y: 14, w: 12, h: 10, z: 0 },
    { zone: 'honour', title: '荣誉', module: 'honour', x: 12, y: 14, w: 12, h: 10, z: 0 },
  ],
}
export const usual_name = '默认模板'

const view = { need: 'publishing.template.view', within: 'place' } as const
const edit = { need: 'publishing.template.edit', within: 'place' } as const
const ById = z.object({ id: TemplateId })
const Use = z.object({
  device_id: DeviceId,
  device_name: z.string(),
  node_path_name: z.string().nullable(),
  template_id: TemplateId.nullable(),
  since: Instant.nullable(),
})

/** Templates of boards and which board goes by which (chapter 60 §4.7). */
export const templateApi = api('iot', 'publishing.template', {
  list: get('templates', { query: PageQuery, reply: page(Template), ...view }),
  add: post('template/add', { body: TemplateDraft, reply: z.object({ id: TemplateId }), ...edit }),
  update: put('template/:id', { params: ById, body: TemplateDraft.extend({ row_version: count }), reply: Done, ...edit }),
  remove: del('template/:id', { params: ById, reply: Done, ...edit }),
  in_use: get('template/in_use', { query: PageQuery.extend({ template_id: filter(TemplateId) }), reply: page(Use), ...view }),
  change: post('template/change', {
    body: z.strictObject({
      device_ids: z.array(DeviceId).max(300).default([]),
      place_ids: z.array(PlaceId).max(300).default([]),
      template_id: TemplateId.nullable(),
    }),
    reply: z.object({ changed: count }),
    op: 4,
    ...edit,
  }),
})
