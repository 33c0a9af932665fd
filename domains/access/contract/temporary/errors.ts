import { failures } from '@kit/contract'

/** User-facing failures of one-off rights and of bans (chapter 35 §4). */
export const temporaryErrors = failures('access', {
  tempRange: [422, '结束时间必须晚于开始时间且不超过180天'],
  tempPast: [422, '结束时间不能早于当前时间'],
  tempSource: [409, '由请假、接送或考试生成，请在原单据中修改'],
  temporaryEnded: [409, '该临时规则已结束，不能修改'],
  tempWhom: [422, '请选择人员或部门'],
  banOverlap: [409, '该人员在此时间段已有禁行'],
})
