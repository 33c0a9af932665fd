import { PlaceId } from '@campus/places/contract'
import { api, filter, get, id, Instant, page, PageQuery, post, QueryFlag } from '@kit/contract'
import { checkNoSpecial, trimName } from '@kit/contract/checks'
import { z } from 'zod'
import { CameraLive } from './camera.ts'
import { DeviceId } from './device-id.ts'
import { AI_WARN_KIND } from './dictionary.ts'
import { OffWindow } from './rule.ts'
import { StateRow } from './sync.ts'

/** Bounds of a rule (chapter 30 §1.5): cameras, corners of an area, windows of a week, roles that are told. */
export const ai_most = { cameras: 50, corners: 12, windows: 20, roles: 10 } as const
const fewest_corners = 3
/** From so many decided warnings on a share of false ones says something, and above so many percent the rule is to be looked at. */
export const [false_alarm_least, false_alarm_high] = [5, 60] as const

const between = (least: number, most: number, title: string) => z.number({ error: `请填写${title}` }).int({ error: `${title}为整数` }).min(least, { error: `${title}为${least}到${most}` }).max(most, { error: `${title}为${least}到${most}` })
const Part = z.number().min(0, { error: '区域超出画面' }).max(1, { error: '区域超出画面' })
/** A corner of an area: parts of the picture's width and height from its upper left. */
export const AiPoint = z.object({ x: Part, y: Part })
export type AiPoint = z.output<typeof AiPoint>
/** The part of a camera's picture that is looked at; null: all of it. */
const Roi = z.array(AiPoint).min(fewest_corners, { error: `区域至少${fewest_corners}个点` }).max(ai_most.corners, { error: `区域最多${ai_most.corners}个点` }).nullable()

const RuleId = z.string().regex(/^\d{1,18}$/u)
const RoleId = id('identity.role')
const Kind = z.enum(AI_WARN_KIND.codes, { error: '请选择预警类型' })
const RuleName = z.string({ error: '请填写规则名称' }).overwrite(trimName).min(1, { error: '请填写规则名称' }).max(30, { error: '超过30个字' }).superRefine((text, context) => {
  const verdict = checkNoSpecial(text)
  if (verdict) context.addIssue({ code: 'custom', message: verdict })
})

/** A rule as it is written down. No window: at all times. `dwell_sec`: so long before the box says anything; `merge_sec`: what follows within that time is the same warning. No role: whoever looks after the place. */
export const AiRuleDraft = z.strictObject({
  rule_name: RuleName,
  warn_kind: Kind,
  cameras: z.array(z.strictObject({ camera_device_id: DeviceId, roi: Roi.default(null) })).min(1, { error: '请选择摄像机' }).max(ai_most.cameras, { error: `最多${ai_most.cameras}台摄像机` })
    .refine(list => new Set(list.map(one => one.camera_device_id)).size === list.length, { error: '摄像机重复' }),
  windows: z.array(OffWindow).max(ai_most.windows, { error: `最多${ai_most.windows}个时段` }).default([]),
  sensitivity: between(1, 100, '灵敏度').default(60),
  dwell_sec: between(0, 600, '停留时间').default(0),
  merge_sec: between(10, 3600, '合并时间').default(120),
  notify_role_ids: z.array(RoleId).max(ai_most.roles, { error: `最多${ai_most.roles}个角色` }).default([]),
  enabled: z.boolean().default(true),
})
export type AiRuleDraft = z.output<typeof AiRuleDraft>

/** A camera of a rule as it is told; without a box nobody looks through it. */
const RuleCamera = z.object({ camera_device_id: DeviceId, camera_name: z.string(), node_path_name: z.string().nullable(), box_name: z.string().nullable(), online: z.boolean(), roi: Roi })
/** A box that is to go by a rule, or is to forget it (`want_op` delete): what became of that, in a sentence, and what to do about it (null: nothing). */
export const RuleBox = StateRow.pick({ want_op: true, state: true, sentence: true, next_step: true }).extend({ device_id: DeviceId, box_name: z.string(), online: z.boolean() })
export type RuleBox = z.output<typeof RuleBox>
/** A rule as it is told: which boxes go by it, what the last thirty days made of its warnings, and when the last one came. */
export const AiRule = z.object({
  rule_id: RuleId,
  rule_name: z.string(),
  warn_kind: Kind,
  cameras: z.array(RuleCamera),
  boxes: z.array(RuleBox),
  windows: z.array(OffWindow),
  sensitivity: z.number().int(),
  dwell_sec: z.number().int(),
  merge_sec: z.number().int(),
  notify_roles: z.array(z.object({ role_id: RoleId, role_name: z.string() })),
  enabled: z.boolean(),
  row_version: z.number().int(),
  warnings_30d: z.number().int(),
  decided_30d: z.number().int(),
  ignored_30d: z.number().int(),
  last_hit_at: Instant.nullable(),
})
export type AiRule = z.output<typeof AiRule>

/** A camera that a rule may look through: it is there, below a box that knows how, and nobody undresses before it. */
export const AiCamera = z.object({ camera_device_id: DeviceId, camera_name: z.string(), place_id: PlaceId, node_path_name: z.string(), box_device_id: DeviceId, box_name: z.string(), snapshot_url: z.string().nullable(), snapshot_at: Instant.nullable() })
export type AiCamera = z.output<typeof AiCamera>

/** A box with its cameras: what it knows, how many of the rules that it is to go by are in force, what it said last, what of it nobody asked for. `dropped_today` counts what came without a rule or from where nobody may be watched. */
export const AiBox = z.object({
  device_id: DeviceId,
  device_name: z.string(),
  model_code: z.string(),
  node_path_name: z.string().nullable(),
  device_state: z.string(),
  last_seen_at: Instant.nullable(),
  algorithms: z.array(Kind),
  rules_wanted: z.number().int(),
  rules_applied: z.number().int(),
  last_hit_at: Instant.nullable(),
  hits_today: z.number().int(),
  dropped_today: z.number().int(),
  cameras: z.array(z.object({ device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), online: z.boolean(), last_hit_at: Instant.nullable(), rules: z.array(z.object({ rule_id: RuleId, rule_name: z.string(), warn_kind: Kind, enabled: z.boolean() })) })),
})
export type AiBox = z.output<typeof AiBox>

const view = { need: 'devices.ai.view', within: 'place' } as const
const edit = { need: 'devices.ai.edit', within: 'place' } as const
const Told = z.object({ rule: AiRule })

/** Rules by which boxes warn, and the boxes and cameras that do (chapter 30 §4). */
export const aiRuleApi = api('iot', 'devices.ai_rule', {
  page: get('ai_warn/rule/page', { query: PageQuery.extend({ warn_kind: filter(Kind), enabled: filter(QueryFlag), keyword: filter(z.string().trim().max(30)) }), reply: page(AiRule), ...view }),
  save: post('ai_warn/rule/save', { body: AiRuleDraft.extend({ rule_id: RuleId.optional(), row_version: z.number().int().optional() }), reply: Told, op: 4, ...edit }),
  delete: post('ai_warn/rule/delete', { body: z.strictObject({ rule_id: RuleId, row_version: z.number().int() }), reply: z.object({ cameras: z.number().int() }), op: 5, ...edit }),
  valid_devices: get('ai_warn/valid-devices', { query: z.object({ warn_kind: Kind }), reply: z.object({ list: z.array(AiCamera) }), ...edit }),
  boxes: get('ai_warn/boxes', { reply: z.object({ list: z.array(AiBox) }), ...view }),
  /** the newest picture of a camera; a fresh one is asked for where the last one is old */
  shot: get('ai_warn/shot/:id', { params: z.object({ id: DeviceId }), reply: CameraLive, ...view }),
  roles: get('ai_warn/roles', { reply: z.object({ list: z.array(z.object({ role_id: RoleId, role_name: z.string() })) }), ...edit }),
})
