import { failures } from '@kit/contract'

/** User-facing failures of the canteen (chapter 60 §2.6). */
export const canteenErrors = failures('canteen', {
  dishTaken: [409, '菜品名称已存在'],
  dishInUse: [409, '菜品已被{n}份未过期食谱使用，不能删除'],
  dishGone: [422, '菜品不存在或已停用，请重新选择'],
  menuExists: [409, '该餐厅本周食谱已存在'],
  menuNotMonday: [422, '周起始日必须为周一'],
  menuStale: [409, '食谱已被他人修改，请刷新后再编辑'],
  menuPast: [422, '已过去的日期不能修改，请使用换菜登记'],
  menuEmpty: [422, '{date}午餐未安排菜品'],
  menuNotPublished: [409, '食谱尚未发布'],
  itemOutside: [422, '菜品的日期不在本周'],
  notCanteen: [422, '请选择食堂或食堂窗口'],
  dishNotOnMenu: [422, '菜品不在当日食谱'],
  stale: [409, '数据已被他人修改，请刷新后重试'],
})
