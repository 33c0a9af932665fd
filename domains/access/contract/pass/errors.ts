import { failures } from '@kit/contract'

/** Failures of passes and reports (chapter 35 R38, §4). */
export const passErrors = failures('access', {
  rangeTooWide: [400, '时间范围不能超过{n}天'],
  pageTooDeep: [400, '请缩小时间范围或使用导出'],
})
