import { failures } from '@kit/contract'

/** User-facing failures of doors (chapter 35 §4 Doors). */
export const doorErrors = failures('access', {
  doorBusy: [409, '上一条指令尚未完成，请稍候再试'],
  doorOften: [429, '一分钟内最多远程开门10次，请稍后再试'],
  holdPast: [422, '保持到的时间须晚于现在且不超过24小时'],
  emergencyWord: [422, '请输入「{word}」确认'],
  emergencyOver: [409, '没有正在进行的疏散或封闭'],
  qrInvalid: [404, '二维码无效，请扫描门上最新的二维码'],
  qrDenied: [422, '您当前无此门权限：{sentence}'],
})
