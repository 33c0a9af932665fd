import { failures } from '@kit/contract'

/** User-facing failures of rules, arranges, roll-call and recompute (chapter 55 §2). */
export const ruleErrors = failures('attend', {
  ruleName: [409, '规则名称已存在，请换一个名称'],
  ruleInUse: [409, '规则正在被{n}条安排使用，不能删除'],
  ruleWindow: [422, '迟到截止不能早于上课时间或晚于下课时间（最短的一节课{n}分钟）'],
  ruleKind: [422, '规则“{name}”的对象或类型与安排不一致，请重新选择'],
  ruleDisabled: [422, '规则“{name}”已停用，请先启用或选择其他规则'],
  backdate: [422, '生效日期早于今天，请填写原因并确认影响'],
  backdateRight: [403, '没有权限修改今天以前的考勤规则'],
  arrangeOverlap: [409, '与已有安排范围和日期重叠，请调整日期或停用原安排'],
  arrangeDays: [422, '日期须在学期{from}至{to}内'],
  arrangeScope: [422, '所选范围不存在，请重新选择'],
  slotOverlap: [422, '时段“{a}”与“{b}”重叠'],
  slotMissing: [422, '班级打卡须至少设置一个时段'],
  pointDevice: [422, '该设备不能用于考勤，请选择人脸终端、班牌或考勤机'],
  exemptOverlap: [409, '该人员在此期间已有免考勤'],
  stale: [409, '数据已被他人修改，请核对后再保存'],
  dryRunRange: [422, '试算范围不能超过{n}天'],
  rollcallStale: [409, '{name}已于{time}提交点名，请刷新后再提交'],
  rollcallClosed: [422, '已超过点名时间，请使用更正'],
  rollcallEarly: [422, '未到上课时间，不能提交点名'],
  rollcallAll: [422, '全班都标为缺勤，请确认上课地点没有变更后再提交'],
  rollcallUnknown: [422, '名单已变更，请刷新后重新点名'],
  running: [409, '正在重算，请稍后'],
  outageSpan: [422, '结束时间须晚于开始时间'],
  alertClosed: [409, '该提醒已处理'],
})
