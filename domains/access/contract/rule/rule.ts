import { api, Day, del, filter, get, id, post } from '@kit/contract'
import { z } from 'zod'
import { Receipts } from '../effect/receipt.ts'
import { Commit, Planned } from './plan.ts'

/** What a rule is for (ACCESS_SCENE). */
export const scene_names = { 1: '学生', 2: '教职工', 3: '家长接送', 4: '家长进宿舍' } as const
/** On which days a period holds (DAY_MATCH, chapter 35 R3). */
export const match_names = { 1: '教学日', 2: '返校日', 3: '放假日', 4: '休息日', 5: '每天', 6: '自然星期' } as const
/** Matches that name weekdays. */
export const flagged_matches: readonly number[] = [1, 6]
const [day_minutes, most_periods, most_dates] = [1440, 40, 60] as const

export const RuleId = id('access.rule')
export const Scene = z.coerce.number({ error: '请选择规则类型' }).int().min(1).max(4)
const Way = z.literal([1, 2])
const Begin = z.number().int({ error: '请填写时间' }).min(0, { error: '时间为00:00到24:00' }).max(day_minutes - 1, { error: '时间为00:00到24:00' })
const End = z.number().int({ error: '请填写时间' }).min(1).max(2 * day_minutes)

/** A period: minutes of the day it begins on; an end above 1440 lies on the next day. */
export const RulePeriod = z.strictObject({
  direction: Way,
  day_match: z.number().int().min(1).max(6),
  week_flags: z.array(z.boolean()).length(7, { error: '星期须为7天' }).nullable(),
  begin_min: Begin,
  end_min: End,
}).superRefine((period, context) => {
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (period.end_min <= period.begin_min) say('end_min', '结束时间必须晚于开始时间')
  if (period.end_min > period.begin_min + day_minutes) say('end_min', '一段最长24小时')
  if (flagged_matches.includes(period.day_match) !== (period.week_flags !== null)) say('week_flags', '教学日和自然星期须选择星期，其他不选')
})
export type RulePeriod = z.output<typeof RulePeriod>

/** What holds on one date in place of every period. */
const SpecialDate = z.strictObject({
  date: Day,
  closed: z.boolean(),
  direction: Way.nullable(),
  begin_min: Begin.nullable(),
  end_min: End.nullable(),
}).refine(one => one.closed || (one.begin_min !== null && one.end_min !== null && one.begin_min < one.end_min), { error: '结束时间必须晚于开始时间', path: ['end_min'] })

const content = {
  rule_name: z.string({ error: '请填写规则名称' }).trim().min(1, { error: '请填写规则名称' }).max(30, { error: '不能超过30个字' }),
  remark: z.string().trim().max(200, { error: '不能超过200个字' }).nullable().default(null),
  periods: z.array(RulePeriod).max(most_periods),
  dates: z.array(SpecialDate).max(most_dates).default([]),
}

/** Where a plan is wanted: nothing is saved and the answer says what would change. */
const RuleDraft = z.strictObject({ scene: Scene, ...content, ...Commit })
/** A new version, in force now or from a later day on (R5). */
const RulePatch = z.strictObject({ rule_id: RuleId, row_version: z.number().int(), ...content, effective_from: Day.nullable().default(null), ...Commit })

export const RuleRow = z.object({
  rule_id: RuleId,
  rule_name: z.string(),
  scene: z.number().int(),
  enabled: z.boolean(),
  remark: z.string().nullable(),
  used_depts: z.number().int(),
  used_users: z.number().int(),
  version: z.number().int(),
  periods: z.array(RulePeriod),
  dates: z.array(SpecialDate),
  row_version: z.number().int(),
})
export type RuleRow = z.output<typeof RuleRow>
const RuleVersion = z.object({ version: z.number().int(), valid_from: z.iso.datetime(), valid_to: z.iso.datetime().nullable(), by_name: z.string().nullable(), periods: z.array(RulePeriod) })
/** A date as the rule has it: minutes of each direction, and what the calendar makes of it. */
const RuleDay = z.object({
  date: Day, is_teaching: z.boolean(), is_moved: z.boolean(), label: z.string(),
  in: z.array(z.tuple([z.number(), z.number()])), out: z.array(z.tuple([z.number(), z.number()])),
})
export type RuleDay = z.output<typeof RuleDay>

const view = { need: 'access.rule.view' } as const
const edit = { need: 'access.rule.edit' } as const
const Saved = z.object({ plan: Planned, rule: RuleRow.nullable() })

/** Rules of passing with their weeks (chapter 35 §4). */
export const ruleApi = api('iot', 'access.rule', {
  list: get('rule/list', { query: z.object({ scene: filter(Scene) }), reply: z.object({ list: z.array(RuleRow), total: z.number() }), ...view }),
  detail: get('rule/detail/:rule_id', { params: z.object({ rule_id: RuleId }), reply: z.object({ rule: RuleRow, versions: z.array(RuleVersion) }), ...view }),
  days: get('rule/days/:rule_id', {
    params: z.object({ rule_id: RuleId }), query: z.object({ from: Day, to: Day, grade: filter(z.string().max(2)) }), reply: z.object({ list: z.array(RuleDay).max(62) }), ...view,
  }),
  /** which doors have taken its last change */
  receipts: get('rule/receipts/:rule_id', { params: z.object({ rule_id: RuleId }), reply: Receipts, ...view }),
  add: post('rule/add', { body: RuleDraft, reply: Saved, ...edit }),
  update: post('rule/update', { body: RulePatch, reply: Saved, op: 4, ...edit }),
  copy: post('rule/copy', { body: z.strictObject({ rule_id: RuleId, rule_name: content.rule_name }), reply: z.object({ rule: RuleRow }), ...edit }),
  turn: post('rule/turn', { body: z.strictObject({ rule_id: RuleId, enabled: z.boolean() }), reply: z.object({ rule: RuleRow }), op: 4, ...edit }),
  remove: del('rule/delete', { query: z.object({ rule_id: RuleId }), reply: z.object({ rule_id: RuleId }), ...edit }),
})
