import { DeptId, UserId } from '@campus/people/contract'
import { api, choice, Day, exportOf, firstDay, get, id, Instant, keyword, lastDay, list, post, reference } from '@kit/contract'
import { z } from 'zod'
import { OccurrenceId, section_names } from './result-filters.ts'
import { ATTEND_STATE, expect_kinds } from './state.ts'

export const CorrectionId = id('attendance.correction')
export const most_corrected = 60
const [most_reason, most_files, most_minutes] = [200, 5, 45] as const

export const correction_state_names = { '0': '待审核', '1': '已生效', '2': '已驳回', '3': '已撤销' } as const
export const correction_origin_names = { teacher: '教师', office: '教务', appeal: '申诉', batch: '批量' } as const
export const evidence_names = {
  teacher: '教师证明',
  device_fault: '设备故障',
  paper: '假条/证明',
  photo: '照片',
  clinic: '就诊记录',
  camera: '监控截图',
  other: '其他',
} as const
export type EvidenceKind = keyof typeof evidence_names
export const evidence_kinds = [
  'teacher',
  'device_fault',
  'paper',
  'photo',
  'clinic',
  'camera',
  'other',
] as const satisfies readonly EvidenceKind[]
/** Evidence that is a paper or a picture, so that it has to be uploaded. */
export const filed_evidence: readonly EvidenceKind[] = ['paper', 'photo', 'clinic', 'camera']
export const reason_names = {
  forgot: '忘记打卡',
  device: '设备原因',
  card: '卡或人脸异常',
  activity: '集体活动',
  leave: '请假未登记',
  mistake: '误判',
  other: '其他',
} as const
export const reason_codes = ['forgot', 'device', 'card', 'activity', 'leave', 'mistake', 'other'] as const
/** States a row can be corrected to: neither 未到打卡时间 nor 待核实. */
export const correctable_states = [1, 2, 3, 4, 5, 7, 8, 9] as const

export const CorrectionRow = z.object({
  correction_id: CorrectionId,
  lesson_date: Day,
  expect_kind: z.number().int(),
  occurrence_id: OccurrenceId,
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  section: z.number().int(),
  course_name: z.string().nullable(),
  from_state: z.number().int(),
  to_state: z.number().int(),
  late_min: z.number().int().nullable(),
  early_min: z.number().int().nullable(),
  reason_code: z.string(),
  reason_text: z.string(),
  evidence_kind: z.string(),
  file_keys: z.array(z.string()),
  origin: z.string(),
  state: z.number().int(),
  asked_name: z.string(),
  asked_at: Instant,
  decided_name: z.string().nullable(),
  decided_at: Instant.nullable(),
  opinion: z.string().nullable(),
  row_version: z.number().int(),
  may_decide: z.boolean(),
  may_undo: z.boolean(),
})
export type CorrectionRow = z.output<typeof CorrectionRow>

/** Corrections and appeals. */
export const correctionList = list({
  title: '考勤更正',
  row: CorrectionRow,
  key: 'correction_id',
  is_about_people: true,
  columns: {
    lesson_date: { label: '日期', width: 100, kind: 'day' },
    section: { label: '节次', width: 64, names: section_names },
    user_name: { label: '姓名', width: 80 },
    user_no: { label: '学号/工号', width: 100 },
    dept_name: { label: '班级/部门', width: 104 },
    course_name: { label: '课程', width: 96 },
    from_state: { label: '原状态', width: 100, names: ATTEND_STATE.names },
    to_state: { label: '更正为', width: 100, names: ATTEND_STATE.names },
    reason_code: { label: '原因', width: 104, names: reason_names },
    reason_text: { label: '说明', width: 160 },
    evidence_kind: { label: '佐证', width: 88, names: evidence_names },
    origin: { label: '来源', width: 64, names: correction_origin_names },
    asked_name: { label: '申请人', width: 80 },
    asked_at: { label: '申请时间', width: 132, kind: 'instant' },
    state: { label: '状态', width: 80, names: correction_state_names },
    decided_name: { label: '审核人', width: 80 },
    opinion: { label: '审核意见', width: 136 },
  },
  filters: {
    keyword: keyword('姓名/编号'),
    dept_id: reference('班级/部门', 'people.dept', DeptId),
    state: choice('状态', correction_state_names),
    origin: choice('来源', correction_origin_names),
    person_kind: choice('对象', { '1': '学生', '2': '教师' }),
    from: firstDay('日期', 'to'),
    to: lastDay(),
  },
})

const Key = z.strictObject({
  lesson_date: Day,
  expect_kind: z.number().int().min(1).max(expect_kinds.exam),
  occurrence_id: OccurrenceId,
  user_id: UserId,
})
const ToState = z
  .number({ error: '请选择更正后的状态' })
  .int()
  .refine(state => correctable_states.some(one => one === state), { error: '请选择更正后的状态' })
const Minutes = z
  .number({ error: '分钟应为0-45' })
  .int({ error: '分钟应为0-45' })
  .min(0, { error: '分钟应为0-45' })
  .max(most_minutes, { error: '分钟应为0-45' })
  .nullable()
  .default(null)
const ReasonText = z.string({ error: '请填写说明' }).trim().min(2, { error: '请填写说明' }).max(most_reason, { error: '超过200个字' })
const wish = {
  to_state: ToState,
  late_min: Minutes,
  early_min: Minutes,
  reason_code: z.enum(reason_codes, { error: '请选择原因' }),
  reason_text: ReasonText,
  evidence_kind: z.enum(evidence_kinds, { error: '请选择佐证' }),
  file_keys: z.array(z.string().max(200)).max(most_files, { error: '最多上传5个文件' }).default([]),
}
/** The fields by themselves, for the rules of the form. */
export const correction_fields = wish
export const CorrectionDraft = z.strictObject({
  rows: z.array(Key).min(1, { error: '请选择要更正的记录' }).max(most_corrected, { error: '一次最多更正60条' }),
  ...wish,
})
export const AppealDraft = z.strictObject({ row: Key, ...wish })

const Refused = z.object({ user_id: UserId, user_name: z.string(), lesson_date: Day, error_id: z.string(), msg: z.string() })
/** Rows that were corrected or wait for a decision, and those that were refused, each with its sentence. */
const Corrected = z.object({ correction_ids: z.array(CorrectionId), waiting: z.number().int(), refused: z.array(Refused) })
const one = z.object({ correction_id: CorrectionId })
const Verdict = z.strictObject({
  row_version: z.number().int(),
  opinion: z.string().trim().max(most_reason, { error: '超过200个字' }).default(''),
})
const Decided = z.object({ state: z.number().int(), row_version: z.number().int() })
const create = { need: 'attendance.correct.create', within: 'dept' } as const
const approve = { need: 'attendance.correct.approve', within: 'dept' } as const

/** Corrections lie above the judgement and survive each recompute (chapter 55 §2.3). */
export const correctionApi = api('v2', 'attendance.correction', {
  page: get('attend/correction/page', { query: correctionList.query, reply: correctionList.reply, ...create }),
  export: exportOf(correctionList, 'attend/correction/export', { need: 'attendance.student.export', within: 'dept' }),
  add: post('attend/correction/add', { body: CorrectionDraft, reply: Corrected, ...create }),
  approve: post('attend/correction/:correction_id/approve', { params: one, body: Verdict, reply: Decided, op: 8, ...approve }),
  reject: post('attend/correction/:correction_id/reject', { params: one, body: Verdict, reply: Decided, op: 8, ...approve }),
  undo: post('attend/correction/:correction_id/undo', {
    params: one,
    body: z.strictObject({ row_version: z.number().int() }),
    reply: Decided,
    op: 4,
    ...create,
  }),
})

/** A person, or a guardian for his child, asks for a correction; somebody of the school decides. */
export const appealApi = api('v2', 'attendance.appeal', {
  add: post('attend/appeal/add', { body: AppealDraft, reply: z.object({ correction_id: CorrectionId }), session: true, within: 'self' }),
})
