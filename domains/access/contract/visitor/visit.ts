import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, carried, choice, Done, exportOf, firstDay, get, id, Instant, keyword, lastDay, list, normalise, post } from '@kit/contract'
import { checkMobile, checkPersonName, checkPlate } from '@kit/contract/checks'
import { z } from 'zod'

export const visit_states = { '0': '待审核', '1': '已通过', '2': '已拒绝', '3': '已取消', '4': '已到访', '5': '已离校', '6': '已过期', '7': '黑名单拦截' } as const
export const visit_channels = { '1': '被访人登记', '2': '门岗登记', '3': '自助预约', '4': '导入' } as const
export const left_bases = { '1': '门禁', '2': '门岗', '3': '系统' } as const
export const audit_modes = { '1': '被访人审核', '2': '被访人、部门审核', '3': '被访人、保卫审核' } as const
/** Visits in one call of auditing. */
export const most_audited = 50

export const ApplyId = id('access.visit')
const wrong = (check: (text: string) => string | null) => (text: string, ctx: z.RefinementCtx) => {
  const msg = check(text)
  if (msg !== null) ctx.addIssue({ code: 'custom', message: msg })
}
export const Mobile = z.string({ error: '请填写手机号' }).overwrite(text => normalise({ kind: 'mobile' }, text)).max(20).superRefine(wrong(checkMobile))
export const VisitorName = z.string({ error: '请填写姓名' }).trim().min(1, { error: '请填写姓名' }).max(50, { error: '姓名不能超过50个字' }).superRefine(wrong(checkPersonName))
export const Plate = z.string().trim().toUpperCase().max(8, { error: '车牌号不合法' }).superRefine(wrong(text => (text === '' ? null : checkPlate(text)))).default('')
const Text = (n: number) => z.string().trim().max(n, { error: `超过${n}个字` })
const Reason = Text(200).min(2, { error: '请填写原因' })

export const VisitRow = z.object({
  apply_id: ApplyId,
  apply_no: z.string(),
  visitor_name: z.string(),
  mobile: z.string(),
  company: z.string().nullable(),
  reason_name: z.string(),
  reason_text: z.string().nullable(),
  receiver_user_id: UserId,
  receiver_name: z.string().nullable(),
  receiver_dept: z.string().nullable(),
  student_name: z.string().nullable(),
  followers: z.number().int(),
  plate: z.string().nullable(),
  begin_at: Instant,
  end_at: Instant,
  route: z.string(),
  channel: z.number().int(),
  state: z.number().int(),
  is_overdue: z.boolean(),
  arrived_at: Instant.nullable(),
  left_at: Instant.nullable(),
  left_basis: z.number().int().nullable(),
  refuse_reason: z.string().nullable(),
  /** the step that waits: 1 receiver, 2 the second one */
  step: z.number().int().nullable(),
  visit_count: z.number().int(),
})
export type VisitRow = z.output<typeof VisitRow>

/** Visits as 访客通行审核 lists them. */
export const visitList = list({
  title: '访客记录', unit: '次', row: VisitRow, key: 'apply_id', is_about_people: true,
  columns: {
    apply_no: { label: '单号', width: 124 },
    visitor_name: { label: '访客', width: 84 },
    mobile: { label: '手机号', width: 108 },
    company: { label: '单位', width: 120 },
    reason_name: { label: '事由', width: 88, text: row => [row.reason_name, row.reason_text].filter(Boolean).join('：') },
    receiver_name: { label: '被访人', width: 84 },
    receiver_dept: { label: '被访部门', width: 100 },
    student_name: { label: '学生', width: 84 },
    followers: { label: '同行', width: 56, kind: 'number' },
    plate: { label: '车牌', width: 88 },
    begin_at: { label: '来访时间', width: 132, kind: 'instant' },
    end_at: { label: '结束时间', width: 132, kind: 'instant' },
    route: { label: '路线', width: 120 },
    channel: { label: '渠道', width: 84, names: visit_channels },
    state: { label: '状态', width: 84, names: visit_states },
    is_overdue: { label: '超时', width: 56, kind: 'flag' },
    arrived_at: { label: '到访时间', width: 132, kind: 'instant' },
    left_at: { label: '离校时间', width: 132, kind: 'instant' },
    refuse_reason: { label: '拒绝原因', width: 140 },
  },
  filters: {
    keyword: keyword('单号/访客/手机号后四位/被访人'), state: choice('状态', visit_states), from: firstDay('来访日期', 'to'), to: lastDay(), only_mine: carried('', z.enum(['1'])), is_overdue: carried('', z.enum(['1'])),
  },
})

/** What a member of the school fills in for a visitor, or the guard at the gate. */
export const VisitDraft = z.strictObject({
  visitor_name: VisitorName,
  mobile: Mobile,
  company: Text(60).default(''),
  reason_code: z.string({ error: '请选择事由' }).min(1, { error: '请选择事由' }).max(10),
  reason_text: Text(100).default(''),
  receiver_user_id: UserId,
  student_id: UserId.nullable().default(null),
  followers: z.number({ error: '请填写人数' }).int().min(0, { error: '人数不能小于0' }).max(50, { error: '同行人数不能超过50人' }).default(0),
  plate: Plate,
  begin_at: Instant,
  end_at: Instant,
  place_ids: z.array(PlaceId).max(20).default([]),
})

const Step = z.object({ step: z.number().int(), role: z.number().int(), auditor_name: z.string().nullable(), verdict: z.number().int(), opinion: z.string().nullable(), at: Instant })
const Delivery = z.object({ device_name: z.string(), state: z.string(), reason_text: z.string().nullable() })
const Detail = z.object({ visit: VisitRow, steps: z.array(Step), past: z.array(VisitRow), delivery: z.array(Delivery) })
export type VisitDetail = z.output<typeof Detail>
const Slip = z.object({ visit: VisitRow, school_name: z.string(), pass_code: z.string(), qr: z.string() })
export type VisitSlip = z.output<typeof Slip>

const view = { need: 'access.visitor.view', within: 'dept' } as const
const desk = { need: 'access.visitor.desk', within: 'dept' } as const
const audit = { need: 'access.visitor.audit', within: 'dept' } as const
const one = z.strictObject({ apply_id: ApplyId })
const Applies = z.array(ApplyId).min(1, { error: '请选择访客' }).max(most_audited, { error: `一次最多处理${most_audited}条` })
const Verdicts = z.object({ results: z.array(z.object({ apply_id: ApplyId, ok: z.boolean(), msg: z.string().nullable() })) })

/** Visits (chapter 35 §4 visitor V2). */
export const visitApi = api('v2', 'access.visit', {
  page: post('visitor/page', { body: visitList.query, reply: visitList.reply, reads: true, unlogged: '列表查询', ...view }),
  export: exportOf(visitList, 'visitor/export', { need: 'access.visitor.export', within: 'dept' }),
  board: get('visitor/board', { reply: z.object({ list: z.array(VisitRow) }), ...view }),
  detail: get('visitor/detail/:apply_id', { params: one, reply: Detail, ...view }),
  create: post('visitor/add', { body: VisitDraft, reply: z.object({ visit: VisitRow }), need: 'access.visitor.create', within: 'dept' }),
  cancel: post('visitor/cancel', { body: one.extend({ reason: Reason }), reply: Done, op: 4, need: 'access.visitor.create', within: 'dept' }),
  extend: post('visitor/extend', { body: one.extend({ minutes: z.number().int().min(30, { error: '延长30到240分钟' }).max(240, { error: '延长30到240分钟' }) }), reply: Done, op: 4, ...desk }),
  arrive: post('visitor/arrive', { body: one, reply: Done, op: 4, ...desk }),
  leave: post('visitor/leave', { body: one, reply: Done, op: 4, ...desk }),
  slip: get('visitor/slip/:apply_id', { params: one, reply: Slip, op: 13, ...desk }),
  scan: post('visitor/scan', { body: z.strictObject({ code: z.string().trim().min(4, { error: '请扫码或填写通行码' }).max(64) }), reply: z.object({ visit: VisitRow }), reads: true, op: 13, ...desk }),
  pass: post('visitor_audit/pass', { body: z.strictObject({ apply_ids: Applies, opinion: Text(200).default('') }), reply: Verdicts, op: 8, ...audit }),
  refuse: post('visitor_audit/refuse', { body: z.strictObject({ apply_ids: Applies, refuse_reason: Reason }), reply: Verdicts, op: 8, ...audit }),
})

export const BlackRow = z.object({ black_id: id('access.blacklist'), name: z.string().nullable(), mobile_tail: z.string().nullable(), plate: z.string().nullable(), reason: z.string(), valid_from: Instant, valid_to: Instant.nullable(), lifted_at: Instant.nullable(), lift_reason: z.string().nullable(), created_by_name: z.string().nullable() })
export type BlackRow = z.output<typeof BlackRow>
/** Who may not come. */
export const blackList = list({
  title: '访客黑名单', row: BlackRow, key: 'black_id', is_about_people: true,
  columns: {
    name: { label: '姓名', width: 100 }, mobile_tail: { label: '手机号', width: 96, text: row => (row.mobile_tail === null ? '' : `*******${row.mobile_tail}`) }, plate: { label: '车牌号', width: 96 }, reason: { label: '原因', width: 220 },
    valid_from: { label: '开始', width: 132, kind: 'instant' }, valid_to: { label: '结束', width: 132, text: row => row.valid_to?.slice(0, 10) ?? '长期' }, created_by_name: { label: '登记人', width: 88 }, lifted_at: { label: '解除时间', width: 132, kind: 'instant' }, lift_reason: { label: '解除原因', width: 140 },
  },
  filters: { keyword: keyword('姓名/手机号后四位/车牌'), state: choice('状态', { '1': '生效', '0': '已解除' }) },
})
const black = { need: 'access.visitor_black.edit' } as const
export const blackApi = api('v2', 'access.blacklist', {
  list: get('visitor_blacklist/list', { query: blackList.query, reply: blackList.reply, need: 'access.visitor_black.view' }),
  create: post('visitor_blacklist/add', { body: z.strictObject({ name: Text(50).default(''), mobile: z.union([z.literal(''), Mobile]).default(''), plate: Plate, reason: Reason, valid_to: Instant.nullable().default(null) }), reply: z.object({ stopped: z.number().int() }), ...black }),
  lift: post('visitor_blacklist/lift', { body: z.strictObject({ black_id: id('access.blacklist'), reason: Reason }), reply: Done, op: 4, ...black }),
})
