import { failures } from '@kit/contract'

/** User-facing failures of devices (chapter 30 §2). */
export const devicesErrors = failures('devices', {
  deviceSnTaken: [409, '设备序列号已存在'],
  deviceNameTaken: [409, '设备名称已存在，请换一个名称'],
  deviceClientConflict: [409, '该设备已在其他学校登记，请联系平台管理员'],
  deviceModelUnknown: [422, '型号不存在，请重新选择'],
  deviceModelType: [422, '型号与设备类型不一致'],
  deviceParent: [422, '上级设备不存在或已退役，请重新选择'],
  devicePrivate: [422, '该场所为私密区域，不能绑定摄像机或人脸设备'],
  devicePlaceClosed: [409, '场所已关闭，请选择其他场所'],
  deviceState: [409, '设备当前为“{state}”，不能进行此操作'],
  devicePlacedAt: [422, '只能从过去24小时内或现在开始，过去的时间请填写原因'],
  devicePlacedBefore: [422, '该时间之后设备已移动过，请选择更晚的时间'],
  enrolCodeWrong: [404, '没有找到等待认领的设备，请确认设备已用登记码连接'],
  deviceNotEmptied: [409, '设备上仍有{n}人的数据未清除，请先清空或登记为遗失'],
  deviceMany: [422, '一次最多处理300台设备'],
  deviceOffline: [409, '设备离线，操作未执行'],
  driverUnsupported: [422, '该型号不支持“{name}”'],
  syncRunning: [409, '设备正在同步，请稍后'],
  rebuildUnconfirmed: [422, '请输入设备名称“{name}”，确认重建'],
  planOver: [409, '该变更已确认或已不再需要，请刷新'],
  ruleOverlap: [409, '与规则“{name}”时间冲突'],
  ruleNameTaken: [409, '规则名称已存在，请换一个名称'],
  ruleUnsupported: [422, '以下设备不支持常开，请去掉常开时段或更换设备：{names}'],
  ruleGateClose: [422, '校门通道设备不能设置关机规则：{names}'],
  staleRow: [409, '数据已被他人修改，请核对差异后再保存'],
})
