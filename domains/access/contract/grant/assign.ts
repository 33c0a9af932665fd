import { DeptId, UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, Day, filter, get, id, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { Commit, Planned } from '../rule/plan.ts'
import { RuleId, Scene } from '../rule/rule.ts'

const [most_depts, most_users, most_places] = [200, 2000, 50] as const
const DeptRuleId = id('access.dept_rule')
const UserRuleId = id('access.user_rule')
export const mode_names = { 1: '替换', 2: '追加' } as const

const Places = z.array(PlaceId).max(most_places)
const Valid = { valid_from: Day, valid_to: Day.nullable().default(null) }
const Doors = { rule_id: RuleId, in_place_ids: Places, out_place_ids: Places, ...Valid }
const Filters = { study_method: z.string().max(2).nullable().default(null), by_bus: z.boolean().nullable().default(null) }
const Version = z.number().int()

const DeptRuleDraft = z.strictObject({
  scene: Scene, dept_ids: z.array(DeptId).min(1, { error: '请选择部门' }).max(most_depts, { error: `一次最多${most_depts}个部门` }), ...Filters, max_stay_min: z.number().int().min(10).max(1440).nullable().default(null), ...Doors, ...Commit,
})
const DeptRulePatch = z.strictObject({ dept_rule_id: DeptRuleId, row_version: Version, ...Doors, ...Commit })
const UserRuleDraft = z.strictObject({
  scene: Scene, user_ids: z.array(UserId).min(1, { error: '请选择人员' }).max(most_users, { error: `一次最多${most_users}人` }), mode: z.literal([1, 2]), ...Doors, ...Commit,
})
const UserRulePatch = z.strictObject({ user_rule_id: UserRuleId, row_version: Version, mode: z.literal([1, 2]), ...Doors, ...Commit })

const Named = z.object({ place_id: PlaceId, place_name: z.string() })
const Assigned = { rule_id: RuleId, rule_name: z.string(), scene: z.number().int(), in_places: z.array(Named), out_places: z.array(Named), valid_from: Day, valid_to: Day.nullable(), row_version: Version }
export const DeptRuleRow = z.object({
  dept_rule_id: DeptRuleId, dept_id: DeptId.nullable(), dept_name: z.string(), study_method: z.string().nullable(), by_bus: z.boolean().nullable(), max_stay_min: z.number().nullable(), people: z.number().int(), ...Assigned,
})
export type DeptRuleRow = z.output<typeof DeptRuleRow>
export const UserRuleRow = z.object({ user_rule_id: UserRuleId, user_id: UserId, user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), mode: z.number().int(), ...Assigned })
export type UserRuleRow = z.output<typeof UserRuleRow>

/** A place with doors at or below it. */
export const DoorPlace = z.object({ place_id: PlaceId, place_name: z.string(), node_path_name: z.string(), doors: z.number().int(), offline: z.number().int(), is_perimeter: z.boolean() })
export type DoorPlace = z.output<typeof DoorPlace>

/** The default shows today's rules and those to come; `at` the rules of another day. */
const ListQuery = PageQuery.extend({ scene: Scene, keyword: filter(z.string().max(50)), rule_id: filter(RuleId), at: filter(Day) })
const deptView = { need: 'access.dept_rule.view', within: 'dept' } as const
const deptEdit = { need: 'access.dept_rule.edit', within: 'dept' } as const
const userView = { need: 'access.user_rule.view', within: 'dept' } as const
const userEdit = { need: 'access.user_rule.edit', within: 'dept' } as const
const Saved = z.object({ plan: Planned, saved: z.number().int() })
const ended = <T extends z.ZodType>(ids: T) => z.strictObject({ ids, ...Commit })

/** Which departments go by which rule (chapter 35 §4). */
export const deptRuleApi = api('iot', 'access.dept_rule', {
  list: get('dept_rule/list', { query: ListQuery.extend({ dept_id: filter(DeptId) }), reply: page(DeptRuleRow), ...deptView }),
  add: post('dept_rule/add', { body: DeptRuleDraft, reply: Saved, ...deptEdit }),
  update: post('dept_rule/update', { body: DeptRulePatch, reply: Saved, op: 4, ...deptEdit }),
  end: post('dept_rule/batch_delete', { body: ended(z.array(DeptRuleId).min(1).max(500)), reply: Saved, op: 5, also: ['dept_rule/delete'], ...deptEdit }),
})

/** Who goes by which rule of his own. */
export const userRuleApi = api('iot', 'access.user_rule', {
  list: get('user_rule/list', { query: ListQuery.extend({ dept_id: filter(DeptId) }), reply: page(UserRuleRow), ...userView }),
  add: post('user_rule/add', { body: UserRuleDraft, reply: Saved, ...userEdit }),
  update: post('user_rule/update', { body: UserRulePatch, reply: Saved, op: 4, ...userEdit }),
  end: post('user_rule/batch_delete', { body: ended(z.array(UserRuleId).min(1).max(500)), reply: Saved, op: 5, also: ['user_rule/delete'], ...userEdit }),
})

/** Places that have doors of a direction. */
export const devPlaceApi = api('iot', 'access.dev_place', {
  in: get('devPlace/in', { reply: z.object({ list: z.array(DoorPlace) }), need: 'access.rule.view' }),
  out: get('devPlace/out', { reply: z.object({ list: z.array(DoorPlace) }), need: 'access.rule.view' }),
})

const RungSaid = z.object({ rung: z.number().int(), name: z.string(), verdict: z.enum(['allow', 'deny', 'silent']), text: z.string() })
export const Explained = z.object({
  allowed: z.boolean(),
  result: z.number().int(),
  /** 张三（三年级1班）16:05不能从南门出：… */
  sentence: z.string(),
  ladder: z.array(RungSaid),
  next_allowed_at: z.iso.datetime().nullable(),
  devices: z.array(z.object({ device_name: z.string(), online: z.boolean(), direction: z.number().int(), has_person: z.boolean() })),
})
export type Explained = z.output<typeof Explained>

/** 张三16:05能否从南门出，为什么 (chapter 35 §5). */
export const explainApi = api('iot', 'access.explain', {
  read: get('access/explain', {
    query: z.object({ user_id: UserId, place_id: PlaceId, direction: z.coerce.number().int().min(1).max(3), at: filter(z.iso.datetime({ offset: true })) }),
    reply: Explained, need: 'access.explain.view', within: 'dept',
  }),
})
