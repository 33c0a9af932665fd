import { dict } from '@kit/contract'

/** State of a leave, and of each of its members from 2 on (chapter 70 §2.1). */
export const LEAVE_STATE = dict('LEAVE_STATE', {
  '0': '待提交', '1': '审批中', '2': '已同意', '3': '已拒绝', '4': '已撤销', '5': '已销假', '6': '已离校', '7': '已返校', '8': '超时未返',
})
export const LEAVE_STUDENT = dict('LEAVE_STUDENT', {
  '1': '事假', '2': '病假', '3': '晚到(迟到)假', '4': '早退假', '5': '外出假', '6': '周末离校', '7': '住校生外宿', '8': '集体活动', '9': '竞赛培训', '99': '其他',
})
export const LEAVE_STAFF = dict('LEAVE_STAFF', {
  '01': '事假', '02': '病假', '03': '年休假', '04': '调休', '05': '婚假', '06': '产假', '07': '陪产假', '08': '丧假', '09': '产检假', '10': '哺乳假', '11': '育儿假',
  '12': '护理假(独生子女)', '13': '工伤假', '14': '公假(公出)', '15': '探亲假', '99': '其他',
})

/** The same states by name, for the program. */
export const leave_states = { draft: 0, asked: 1, agreed: 2, refused: 3, withdrawn: 4, ended: 5, out: 6, back: 7, overdue: 8 } as const
/** States in which a leave is in force or finished (90 §2 leave_span_v). */
export const counted_states = [2, 5, 6, 7, 8] as const
export const task_states = { open: 0, passed: 2, refused: 3, sent_back: 4, transferred: 5, settled: 6 } as const
export const task_state_names: Readonly<Record<string, string>> = { 0: '待审批', 2: '通过', 3: '驳回', 4: '退回补充', 5: '转交', 6: '失效' }
export const via_names: Readonly<Record<string, string>> = { 1: '按流程', 2: '转交', 3: '加签', 4: '代办', 5: '升级', 6: '兜底' }
export const version_kinds: Readonly<Record<string, string>> = { 1: '申请', 2: '改期', 3: '续假', 4: '提前结束', 5: '提前返校', 6: '作废' }
export const version_state_names: Readonly<Record<string, string>> = { 0: '审批中', 1: '生效', 2: '未通过' }
export const effect_state_names: Readonly<Record<string, string>> = { 0: '待处理', 1: '处理中', 2: '完成', 3: '等待', 4: '失败', 5: '不需要', 6: '不可撤销' }
export const apply_as_names: Readonly<Record<string, string>> = { 1: '本人', 2: '监护人', 3: '代请', 4: '宿管', 5: '校医', 6: '批量' }
export const basis_names: Readonly<Record<string, string>> = { 1: '门禁', 2: '人工', 3: '点名', 4: '寝室', 5: '到期自动' }
export const exit_modes = { '0': '不出校', '1': '自行离校', '2': '家长接走' } as const
export const person_kind_names = { '1': '学生', '2': '教职工', '6': '企业员工' } as const
export const unit_names = { '1': '按天', '2': '按半天', '3': '按小时', '4': '按分钟' } as const
export const step_modes = { '1': '任一人通过', '2': '全部通过', '3': '依次通过' } as const
export const resolver_names = {
  '1': '监护人确认', '2': '班主任', '3': '年级主任', '4': '宿管', '5': '校医', '6': '部门负责人', '7': '分管领导', '8': '指定人员', '9': '指定角色',
} as const
/** What of the type others may see who may not read the reason (chapter 70 L14). */
const pupil = 1
const sick_types: ReadonlySet<string> = new Set(['2', '02'])
const public_types: ReadonlySet<string> = new Set(['8', '9', '14'])

/** The words of a type; pupils and staff have dictionaries of their own. */
export function leaveTypeName(person_kind: number, leave_type: string): string {
  const names: Readonly<Record<string, string>> = person_kind === pupil ? LEAVE_STUDENT.names : LEAVE_STAFF.names
  return names[leave_type] ?? leave_type
}

/** Sick, public or private: the class of a type, by which screens colour it. */
export function leaveClass(leave_type: string): 'sick' | 'public' | 'private' {
  if (sick_types.has(leave_type)) return 'sick'
  return public_types.has(leave_type) ? 'public' : 'private'
}
