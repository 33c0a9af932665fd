import { api, del, Done, get, id, post, put } from '@kit/contract'
import { z } from 'zod'
import { star_colours, star_icons } from './dictionary.ts'

export const TypeId = id('evaluation.type')
const count = z.number().int()
const most_ordered = 200

/** What has been given of an indicator in the last 30 days; `top_share`: percent of the one who gives most. */
const Usage = z.object({ n: count, givers: count, mean_milli: count, top_share: count })

/** A dimension (`superior_id` null) or an indicator in it. */
export const StarType = z.object({
  id: TypeId,
  superior_id: TypeId.nullable(),
  star_kind: z.string().nullable(),
  star_name: z.string(),
  icon: z.string(),
  colour: z.string(),
  subject_kind: count,
  sign: count,
  step: count,
  times_max: count,
  person_day_max: count.nullable(),
  giver_week_quota: count.nullable(),
  evidence: count,
  givers: z.array(count),
  approve: z.boolean(),
  decay: count,
  half_life_days: count.nullable(),
  show_public: z.boolean(),
  level_cuts: z.array(count),
  enabled: z.boolean(),
  auto_trigger: z.string().nullable(),
  row_version: count,
  usage: Usage,
})
export type StarType = z.output<typeof StarType>

const icons = z.string().refine(code => Object.hasOwn(star_icons, code), { error: '请选择图标' })
const colours = z.string().refine(code => Object.hasOwn(star_colours, code), { error: '请选择颜色' })
const whole = (name: string, min: number, max: number) =>
  z
    .number({ error: `${name}应为${min}到${max}` })
    .int({ error: `${name}应为${min}到${max}` })
    .min(min, { error: `${name}应为${min}到${max}` })
    .max(max, { error: `${name}应为${min}到${max}` })
const fields = {
  star_name: z.string().trim().min(1, { error: '请填写名称' }).max(12, { error: '名称超过12个字' }),
  star_kind: z.string().max(4).nullable().default(null),
  icon: icons.default('star'),
  colour: colours.default('gold'),
  enabled: z.boolean().default(true),
  subject_kind: whole('对象', 1, 2).default(1),
  sign: z.union([z.literal(1), z.literal(-1)]).default(1),
  step: whole('每次分值', 100, 100_000).default(1000),
  times_max: whole('单次最多', 1, 10).default(5),
  person_day_max: whole('每人每日上限', 1, 50).nullable().default(null),
  giver_week_quota: whole('每周可评次数', 1, 1000).nullable().default(null),
  evidence: whole('佐证', 0, 2).default(0),
  givers: z
    .array(whole('评价人', 1, 3))
    .max(3)
    .default([]),
  approve: z.boolean().default(false),
  decay: whole('衰减', 0, 2).default(0),
  half_life_days: whole('半衰期', 7, 365).nullable().default(null),
  show_public: z.boolean().default(true),
  auto_trigger: z.enum(['attend_week', 'homework_week']).nullable().default(null),
  level_cuts: z
    .array(whole('等级分值', 1, 10_000_000))
    .max(2, { error: '最多设置银、金两个等级' })
    .refine(cuts => cuts.every((cut, at) => cut > (cuts[at - 1] ?? 0)), { error: '金级应高于银级' })
    .default([]),
}
export const StarTypeDraft = z.strictObject({ superior_id: TypeId.nullable().default(null), ...fields })
export type StarTypeDraft = z.output<typeof StarTypeDraft>

const ById = z.object({ id: TypeId })
const view = { need: 'evaluation.type.view' } as const
const edit = { need: 'evaluation.type.edit' } as const

/** Dimensions with their indicators (chapter 55 §4). */
export const starTypeApi = api('web', 'evaluation.type', {
  tree: get('star/type/tree', { reply: z.object({ list: z.array(StarType) }), ...view }),
  add: post('star/type/add', { body: StarTypeDraft, reply: ById, ...edit }),
  order: post('star/type/order', {
    body: z.strictObject({ star_type_ids: z.array(TypeId).min(1).max(most_ordered) }),
    reply: Done,
    op: 4,
    ...edit,
  }),
  update: put('star/type/:id', { params: ById, body: z.strictObject({ ...fields, row_version: count }), reply: Done, ...edit }),
  remove: del('star/type/:id', { params: ById, reply: Done, ...edit }),
})
