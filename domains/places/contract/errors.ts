import { failures } from '@kit/contract'

/** User-facing failures of places (chapter 30 §2). */
export const placesErrors = failures('places', {
  placeHasChildren: [409, '该场所下有子场所，不能删除'],
  placeInUse: [409, '该场所正在被使用：{list}，不能删除'],
  placeNameTaken: [409, '同级场所名称已存在'],
  placeDepth: [422, '场所层级不能超过8级'],
  placeCycle: [422, '不能移动到自身或其下级'],
  placeCamera: [422, '该场所为私密区域，不能绑定摄像机或人脸设备'],
  placeKindInUse: [409, '该场所的用途不能更改：{list}，请先移走'],
  placeRoot: [409, '校区不能移动到其他场所下'],
  placeLastCampus: [409, '至少保留一个校区，请先新增另一个校区'],
  placeClosed: [409, '场所已停用，请先恢复或选择其他场所'],
  placeTooMany: [422, '一次最多生成500个场所，请减少楼层或房间数'],
  placeHomeTaken: [409, '该场所已是{dept_name}的教室，请先为该班级更换教室'],
  placeHomeBefore: [422, '{day}起已另有安排，请选择更晚的日期'],
  placeNoClassroom: [422, '班级只能绑定普通教室或专用教室'],
  placeNotClass: [422, '只能绑定班级'],
  placeBus: [422, '校车由校车管理创建，不能在此新增或修改'],
  staleRow: [409, '数据已被他人修改，请核对差异后再保存'],
})
