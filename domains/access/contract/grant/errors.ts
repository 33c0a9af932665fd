import { failures } from '@kit/contract'

/** User-facing failures of assignments (chapter 35 §4). */
export const grantErrors = failures('access', {
  assignOverlap: [409, '该时间段已有规则，请调整有效期或编辑已有规则'],
  placeNoDoor: [422, '{place_name}没有{way}方向的设备'],
  noDoor: [422, '进校门与出校门不能同时为空'],
  validRange: [422, '有效期结束不能早于开始'],
  sceneMismatch: [422, '所选规则不适用于此类人员'],
  timeGroupsFull: [422, '设备{name}需要{n}个时段组，上限{max}个，请合并时段：{a} 与 {b} 仅相差{k}分钟'],
  assignStale: [409, '数据已被他人修改，请刷新后重试'],
})
