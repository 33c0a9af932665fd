import { messageTemplate } from '@campus/messages/contract'

/** Messages of leave; who decides is asked, who asked hears the decision (chapter 70 §7 effect message). */
export const leaveTemplates = {
  asked: messageTemplate({
    code: 'leave.asked', name: '请假待审批', fields: { name: 30, type: 20, span: 60 }, field_names: { name: '请假人', type: '假别', span: '起止' }, channels: [],
    title: '请假待审批：{name}', body: '{name}申请{type}，{span}。请在“请假管理”或“审批中心”中审批。',
  }),
  decided: messageTemplate({
    code: 'leave.decided', name: '请假审批结果', fields: { name: 30, type: 20, span: 60, verdict: 12, opinion: 150 }, field_names: { name: '请假人', type: '假别', span: '起止', verdict: '结果', opinion: '意见' }, channels: [],
    title: '{name}的请假{verdict}', body: '{name}的{type}（{span}）{verdict}。{opinion}',
  }),
  changed: messageTemplate({
    code: 'leave.changed', name: '请假变更', fields: { name: 30, type: 20, span: 60, what: 12 }, field_names: { name: '请假人', type: '假别', span: '起止', what: '变更' }, channels: [],
    title: '{name}的请假{what}', body: '{name}的{type}{what}，现为：{span}。',
  }),
  overdue: messageTemplate({
    code: 'leave.overdue', name: '超时未返', fields: { name: 30, at: 16 }, field_names: { name: '请假人', at: '应返时间' }, channels: [],
    title: '{name}超时未返校', body: '{name}应于{at}前返校，目前没有返校记录，请尽快联系确认。已返校的可在学生请假记录中办理返校登记。',
  }),
  late: messageTemplate({
    code: 'leave.late', name: '请假审批超时', fields: { name: 30, span: 60 }, field_names: { name: '请假人', span: '起止' }, channels: [],
    title: '请假审批超时：{name}', body: '{name}的请假（{span}）超过处理时限，请尽快审批。',
  }),
}
