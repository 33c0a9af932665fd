import { api, del, Done, get, id, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'

export const PlayRuleId = id('publishing.play_rule')
const count = z.number().int()
export const day_kinds = { '1': '每天', '2': '上学日', '3': '非上学日', '4': '自定义星期' } as const
export const order_modes = { '1': '顺序', '2': '随机', '3': '按权重' } as const
/** Parts of the day by the lessons of the board's class. */
export const day_sections = { lesson: '上课', break: '课间', noon: '午休', after: '放学后', before: '到校前' } as const
export type DaySection = keyof typeof day_sections
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: '时间格式为 时:分' })

export const DayPart = z.union([
  z.strictObject({ section: z.enum(['lesson', 'break', 'noon', 'after', 'before']) }),
  z.strictObject({ from: clock, to: clock }),
])
export type DayPart = z.output<typeof DayPart>
export const PlayRuleDraft = z.strictObject({
  name: z.string().trim().min(1, { error: '请填写规则名称' }).max(30, { error: '名称超过30个字' }),
  day_kind: z.number().int().min(1).max(4),
  weekdays: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  /** none: all day */
  dayparts: z.array(DayPart).max(12, { error: '时段超过12个' }).default([]),
  order_mode: z.number().int().min(1).max(3).default(1),
  item_seconds: z
    .number({ error: '请填写每项时长' })
    .int()
    .min(3, { error: '每项时长为3到600秒' })
    .max(600, { error: '每项时长为3到600秒' })
    .default(10),
  mute_in_lesson: z.boolean().default(true),
})
export type PlayRuleDraft = z.output<typeof PlayRuleDraft>
export const PlayRule = PlayRuleDraft.extend({ id: PlayRuleId, enabled: z.boolean(), in_use: count, row_version: count })
export type PlayRule = z.output<typeof PlayRule>

const view = { need: 'publishing.rule.view', within: 'place' } as const
const edit = { need: 'publishing.rule.edit', within: 'place' } as const
const ById = z.object({ id: PlayRuleId })

/** When and in which order contents are played (chapter 60 §4.7). */
export const playRuleApi = api('iot', 'publishing.rule', {
  list: get('play_rule/list', { query: PageQuery, reply: page(PlayRule), ...view }),
  add: post('play_rule/add', { body: PlayRuleDraft, reply: z.object({ id: PlayRuleId }), ...edit }),
  update: put('play_rule/:id', { params: ById, body: PlayRuleDraft.extend({ row_version: count }), reply: Done, ...edit }),
  remove: del('play_rule/:id', { params: ById, reply: Done, ...edit }),
  enable: post('play_rule/enable', {
    body: z.strictObject({ id: PlayRuleId, enabled: z.boolean() }),
    reply: z.object({ stopped: z.array(z.string()) }),
    op: 4,
    ...edit,
  }),
})
