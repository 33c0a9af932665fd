/** Result codes of a VF105 (chapter 31 §5.2). */
export const codes = { ok: '000000', failed: '100000', timed_out: '100004', offline: '100005', parameter: '200000', other: '300000' } as const

/** Types of credentials; none stands in for another one. */
export const types = { pass_through: '100', static_qr: '101', dynamic_qr: '103', card: '200', id_card: '205', face: '300', password: '400', finger: '500' } as const

/** What a row of a batch is refused with. */
export const row_errors = {
  person: 'person not found', voucher: 'voucher not found', no_vouchers: 'user has no vouchers', duplicate: 'Duplicate vouchers', biometric: 'user already has this biometric voucher', permission: 'permission not found',
  name: 'name格式错误', user_id: 'userId格式错误', permission_ids: 'permissionIds必须是数组', self_check: '核验人员不能选择自己', no_checkers: '指定核验人员不能为空', no_code: 'code不能为空', face_type: 'faceType只支持0或1', permission_time: '权限及time必须是对象',
} as const
/** What a whole batch is refused with, before any of it is done. */
export const batch_errors = {
  no_array: 'data必须是数组', too_many: '批量数据不能超过100条', face_alone: 'base64人脸凭证一次只能下发一条', jpg: '人脸图片只支持jpg格式', too_large: '人脸图片base64大小不能超过512KB', key_type: '查询凭证必须指定type', page: 'page必须是大于等于0的整数',
  del_records: '删除通行记录必须提供条件或all=true', control: '控制参数无效', control_integer: '控制参数command必须是整数', no_finger: '指纹功能未启用', no_json: '消息内容不是有效JSON', no_object: '消息内容必须是JSON对象', serial: 'serialNo必须是1到32位字符串', no_uuid: 'uuid不能为空', other_uuid: 'uuid与设备不匹配',
} as const
export const partly = '部分数据处理失败'
export const slow = '命令执行超时'
export const unconnected = '功能尚未接入'

/** Why a password is refused by a device whose passwords have so many digits. */
export function passwordText(digits: number): string {
  return `密码凭证必须是${digits}位数字`
}

/** Why a page is refused that asks for none or for more rows than the device gives at once. */
export function sizeText(most: number): string {
  return `size必须是1到${most}之间的整数`
}

/** Why a control command is refused that the device does not know. */
export function controlText(command: number): string {
  return `不支持的控制命令: ${command}`
}
