import { api, choice, Day, del, Done, get, id, Instant, keyword, list, post, put } from '@kit/contract'
import { z } from 'zod'
import { bodyText, RuleBody } from './rule-body.ts'

export const RuleId = id('attendance.rule')
export const rule_kinds = { course: '课程考勤', clock: '班级打卡' } as const
export const person_kind_names = { '1': '学生', '2': '教职工' } as const
/** A trial covers at most so many days. */
export const most_trial_days = 7

const Name = z.string({ error: '请填写规则名称' }).trim().min(1, { error: '请填写规则名称' }).max(30, { error: '不能超过30个字' })
const Note = z.string().trim().max(200, { error: '不能超过200个字' }).default('')
const Reason = z.string().trim().max(200, { error: '不能超过200个字' }).default('')
const editable = { rule_name: Name, note: Note, body: RuleBody, effective_from: Day, reason: Reason }

export const RuleDraft = z.strictObject({ person_kind: z.number().int().min(1).max(2), kind: z.enum(['course', 'clock']), ...editable })
export const RulePatch = z.strictObject({ ...editable, row_version: z.number().int() })

export const RuleRow = z.object({
  rule_id: RuleId, rule_name: z.string(), person_kind: z.number().int(), kind: z.enum(['course', 'clock']), enabled: z.boolean(), note: z.string(), arranges: z.number().int(),
  version_no: z.number().int(), effective_from: Day, body: RuleBody, row_version: z.number().int(),
})
export type RuleRow = z.output<typeof RuleRow>

/** The list of rules; the body is that of today, or of the first day to come. */
export const ruleList = list({
  title: '考勤规则', row: RuleRow, key: 'rule_id',
  columns: {
    rule_name: { label: '规则名称', width: 160 },
    person_kind: { label: '对象', width: 80, names: person_kind_names },
    kind: { label: '类型', width: 96, names: rule_kinds },
    body: { label: '打卡方式', width: 360, text: row => bodyText(row.body) },
    arranges: { label: '使用安排数', width: 96, kind: 'number' },
    version_no: { label: '版本', width: 64, text: row => `第${row.version_no}版` },
    effective_from: { label: '生效日期', width: 112, kind: 'day' },
    enabled: { label: '状态', width: 80, text: row => (row.enabled ? '启用' : '停用') },
  },
  filters: {
    keyword: keyword('规则名称'), kind: choice('类型', rule_kinds), person_kind: choice('对象', person_kind_names),
    state: choice('状态', { '1': '启用', '0': '停用' }),
  },
})

export const RuleVersion = z.object({
  version_no: z.number().int(), effective_from: Day, body: RuleBody, reason: z.string().nullable(), created_at: Instant,
  created_by_name: z.string().nullable(),
})
export type RuleVersion = z.output<typeof RuleVersion>

const Sample = z.object({
  lesson_date: Day, user_id: z.string(), user_name: z.string(), dept_name: z.string().nullable(), title: z.string(),
  from_state: z.number().int(), to_state: z.number().int(),
})
/** What another version would make of days that were: units judged, rows by state 1 to 10 before and after, and up to 200 that change. */
export const Trial = z.object({
  units: z.number().int(), before: z.array(z.number().int()), after: z.array(z.number().int()), changed: z.number().int(),
  sample: z.array(Sample),
})
export type Trial = z.output<typeof Trial>

const byId = z.object({ id: RuleId })
const view = { need: 'attendance.rule.view' } as const
const edit = { need: 'attendance.rule.edit' } as const
const Saved = z.object({ row: RuleRow })

/** Rules with versions (chapter 55 §4). */
export const ruleApi = api('v2', 'attendance.rule', {
  list: get('attend/rule/list', { query: ruleList.query, reply: ruleList.reply, ...view }),
  add: post('attend/rule/add', { body: RuleDraft, reply: Saved, ...edit }),
  update: put('attend/rule/:id', { params: byId, body: RulePatch, reply: Saved, ...edit }),
  remove: del('attend/rule/:id', { params: byId, reply: Done, ...edit }),
  enable: post('attend/rule/:id/enable', { params: byId, body: z.strictObject({ enabled: z.boolean() }), reply: Saved, op: 4, ...edit }),
  versions: get('attend/rule/:id/versions', { params: byId, reply: z.object({ list: z.array(RuleVersion) }), ...view }),
  dryRun: post('attend/rule/dry_run', {
    body: z.strictObject({
      rule_id: RuleId, body: RuleBody, date_from: Day, date_to: Day,
    }), reply: Trial, reads: true, unlogged: '试算不写入', ...edit,
  }),
})
