import { failures } from '@kit/contract'

/** User-facing failures of the journals. */
export const auditErrors = failures('audit', {
  spanTooLong: [422, '时间范围不能超过92天'],
  spanReversed: [422, '结束日期不能早于开始日期'],
  reasonMissing: [422, '请填写导出原因'],
})
