import { DeptId, UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, Day, Done, flag, get, keyword, list, post, put, reference } from '@kit/contract'
import { z } from 'zod'

const Minutes = (label: string, least: number, most: number) => z.number({ error: `请填写${label}` }).int().min(least, { error: `${label}为${least}到${most}` }).max(most, { error: `${label}为${least}到${most}` })
const Clock = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, { error: '时间格式为 HH:mm' })
const AuditMode = z.number().int().min(1).max(3)
const version = { row_version: z.number().int() }

export const VisitorSetting = z.object({
  book_enabled: z.boolean(),
  notice: z.string().max(1000, { error: '超过1000个字' }),
  advance_days: Minutes('可提前天数', 1, 30),
  max_minutes: Minutes('最长来访分钟', 30, 720),
  open_from: Clock,
  open_to: Clock,
  before_min: Minutes('可提前到达分钟', 0, 240),
  after_min: Minutes('可延后离校分钟', 0, 240),
  follower_max: Minutes('同行人数上限', 0, 50),
  need_plate: z.boolean(),
  need_company: z.boolean(),
  audit_mode: AuditMode,
  place_ids: z.array(PlaceId).max(20, { error: '最多选择20个门' }),
  ...version,
})
export type VisitorSetting = z.output<typeof VisitorSetting>

const Reason = z.object({
  reason_code: z.string(),
  reason_name: z.string(),
  order: z.number().int(),
  default_minutes: z.number().int(),
  audit_mode: AuditMode.nullable(),
  place_ids: z.array(PlaceId),
  need_student: z.boolean(),
  status: z.number().int(),
  ...version,
})
export type VisitorReason = z.output<typeof Reason>
const ReasonDraft = z.strictObject({
  reason_name: z.string({ error: '请填写名称' }).trim().min(1, { error: '请填写名称' }).max(20, { error: '超过20个字' }),
  default_minutes: Minutes('默认时长', 10, 720).default(60),
  audit_mode: AuditMode.nullable().default(null),
  place_ids: z.array(PlaceId).max(20).default([]),
  need_student: z.boolean().default(false),
  status: z.union([z.literal(0), z.literal(1)]).default(1),
})
const ReasonCode = z.string().regex(/^[0-9]{1,10}$/)

const ReceiverRow = z.object({
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  dept_name: z.string().nullable(),
  enabled: z.boolean(),
  on_mobile: z.boolean(),
  auto_pass: z.boolean(),
  day_max: z.number().int(),
  booked: z.number().int(),
  delegate_user_id: UserId.nullable(),
  delegate_name: z.string().nullable(),
  delegate_until: Day.nullable(),
  /** what a visitor sees of him: 张老师（教务处） */
  shown_as: z.string(),
  ...version,
})
export type ReceiverRow = z.output<typeof ReceiverRow>
/** Staff as receivers of visitors; who has no own line has the school's usual. */
export const receiverList = list({
  title: '被访人设置', unit: '人', row: ReceiverRow, key: 'user_id', is_about_people: true,
  columns: {
    user_name: { label: '姓名', width: 96 }, user_no: { label: '工号', width: 112 }, dept_name: { label: '部门', width: 160 }, enabled: { label: '接待', width: 72, kind: 'flag' }, on_mobile: { label: '自助预约可选', width: 104, kind: 'flag' },
    auto_pass: { label: '自动通过', width: 84, kind: 'flag' }, day_max: { label: '日上限', width: 72, kind: 'number' }, booked: { label: '今日已约', width: 84, kind: 'number' }, delegate_name: { label: '代理人', width: 96 }, delegate_until: { label: '代理至', width: 108, kind: 'day' }, shown_as: { label: '访客看到', width: 180 },
  },
  filters: { keyword: keyword('姓名/工号'), dept_id: reference('部门', 'people.dept', DeptId), enabled: flag('接待', { 1: '接待', 0: '不接待' }), on_mobile: flag('自助预约', { 1: '可选', 0: '不可选' }) },
})
const ReceiverPatch = z.strictObject({
  user_ids: z.array(UserId).min(1, { error: '请选择被访人' }).max(300, { error: '一次最多设置300人' }),
  enabled: z.boolean().optional(), on_mobile: z.boolean().optional(), auto_pass: z.boolean().optional(), day_max: Minutes('日上限', 1, 99).optional(),
  delegate: z.object({ user_id: UserId, until: Day }).nullable().optional(),
})

const view = { need: 'access.visitor_set.view' } as const
const edit = { need: 'access.visitor_set.edit' } as const

/** Why people come (chapter 35 §5 /VisitorReason). */
export const reasonApi = api('v2', 'access.visitor_reason', {
  list: get('visitor_reason/list', { reply: z.object({ list: z.array(Reason) }), ...view }),
  create: post('visitor_reason/add', { body: ReasonDraft, reply: z.object({ reason_code: z.string() }), ...edit }),
  update: post('visitor_reason/update', { body: ReasonDraft.extend({ reason_code: ReasonCode, ...version }), reply: Done, op: 4, ...edit }),
  remove: post('visitor_reason/delete', { body: z.strictObject({ reason_code: ReasonCode }), reply: Done, op: 5, ...edit }),
  sort: post('visitor_reason/sort', { body: z.strictObject({ reason_codes: z.array(ReasonCode).min(1).max(200) }), reply: Done, op: 4, ...edit }),
  /** reasons to choose from, for whoever registers a visitor */
  choices: get('visitor_reason/choices', { reply: z.object({ list: z.array(Reason) }), need: 'access.visitor.create' }),
})

/** Whom people come to (chapter 35 §5 /VisitorReceiver and /VisitorReceiverMobile). */
export const receiverApi = api('v2', 'access.visitor_receiver', {
  list: get('visitor_receiver/list', { query: receiverList.query, reply: receiverList.reply, ...view, within: 'staff_dept' }),
  batch: post('visitor_receiver/batch', { body: ReceiverPatch, reply: z.object({ changed: z.number().int() }), op: 4, ...edit, within: 'staff_dept' }),
})

/** How visitors book for themselves (chapter 35 §5 /VisitorWeChat). */
export const visitorSettingApi = api('v2', 'access.visitor_setting', {
  read: get('visitor_setting', { reply: VisitorSetting.extend({ link_key: z.string() }), ...view }),
  write: put('visitor_setting', { body: z.strictObject(VisitorSetting.shape), reply: Done, ...edit }),
  rotate: post('visitor_setting/link/rotate', { body: z.strictObject({}), reply: z.object({ link_key: z.string() }), op: 4, ...edit }),
})
