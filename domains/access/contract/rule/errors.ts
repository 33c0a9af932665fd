import { failures } from '@kit/contract'

/** User-facing failures of rules and of plans (chapter 35 §4). */
export const ruleErrors = failures('access', {
  ruleName: [409, '规则名称已存在，请换一个名称'],
  periodOverlap: [422, '第{a}段与第{b}段时间重叠，请调整'],
  tooManyPeriods: [422, '每天每方向最多8段，请合并时段'],
  ruleInUse: [409, '规则正在被{n}个部门、{m}人使用，请先更换'],
  ruleDay: [422, '生效日期不能早于今天'],
  planRequired: [422, '影响{n}人，请先预演'],
  planStale: [409, '数据已变化，请重新预演'],
})
