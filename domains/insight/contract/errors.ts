import { failures } from '@kit/contract'

/** User-facing failures of the dashboards. */
export const insightErrors = failures('insight', {
  layoutOverlap: [422, '组件位置重叠'],
  cardUnknown: [404, '组件不存在或您没有权限使用，请刷新后重试'],
  layoutGone: [404, '该布局已被撤回，请刷新后重试'],
  roleMissing: [404, '角色不存在或已停用，请重新选择'],
  layoutTaken: [409, '该布局刚刚被他人发布过，请刷新后重试'],
})
