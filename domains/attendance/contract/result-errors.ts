import { failures } from '@kit/contract'

/** User-facing failures of results, corrections and seals (chapter 55 §2). */
export const resultErrors = failures('attend', {
  range: [422, '查询范围不能超过{n}天'],
  sealed: [409, '{month}考勤已封存，请先提交更正申请'],
  notExpected: [422, '该人员此节次无需考勤'],
  tooEarly: [422, '未到打卡时间'],
  correctLate: [422, '已超过可更正期限'],
  correctExists: [409, '该记录已有更正：{name} {time}'],
  correctSelf: [403, '不能更正本人考勤'],
  correctDecided: [409, '该更正已处理，请刷新后重试'],
  correctSame: [403, '不能审核本人提交的更正'],
  correctKept: [422, '更正生效已超过{n}天，不能撤销'],
  sameState: [422, '更正后的状态与当前状态相同，请重新选择'],
  evidence: [422, '请上传佐证材料'],
  sealOpen: [409, '还有{n}条待核实、{m}个未完成单元，不能封存'],
  sealEarly: [422, '当月尚未结束，不能封存'],
  sealEmpty: [422, '当月没有考勤结果，不能封存'],
  sealTaken: [409, '该月已封存'],
  sealSame: [403, '须由封存人以外的人员解封'],
  voided: [409, '该打卡记录已作废'],
  signCode: [422, '打卡码已失效，请输入屏幕上最新的打卡码'],
  signPerson: [422, '仅限学生和教职工本人打卡'],
  locationNone: [422, '学校没有设置定位打卡点，请扫码或在考勤设备上打卡'],
  locationFar: [422, '不在打卡范围内，距离{place}约{n}米，请走到{radius}米以内再打卡'],
  locationVague: [422, '定位误差约{n}米，无法确认位置，请打开手机定位并到开阔处重试'],
})
