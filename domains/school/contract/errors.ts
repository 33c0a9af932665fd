import { failures } from '@kit/contract'

/** User-facing failures of schools, navigation, dictionary and preferences. */
export const schoolErrors = failures('school', {
  prefTooLarge: [422, '个人设置内容过大，无法保存'],
  dictTypeMissing: [404, '没有这个字典类型，请刷新后重试'],
  dictItemMissing: [404, '没有这个字典项，请刷新后重试'],
  dictStandard: [422, '标准字典不可修改'],
  dictCodeTaken: [409, '代码已使用过，不能再用作别的含义，请换一个代码'],
  noPicture: [415, '图片上传失败，请检查图片是否正常'],
  nameTaken: [409, '名称已存在'],
  idTaken: [409, '学校编号已被占用，请换一个编号'],
  stateMoved: [409, '学校状态已变化，请刷新后重试'],
  suspendFirst: [409, '请先停用学校，再关闭'],
  ownSchool: [422, '不能停用或关闭当前所在的学校，请先进入其他学校'],
  nameMismatch: [422, '输入的学校名称不一致，请重新输入'],
  recheckInvalid: [422, '密码验证已失效，请重新输入密码'],
  navMissing: [404, '菜单项不存在，请刷新后重试'],
  navFixed: [422, '该页面不能隐藏，否则无法再回到本页修改'],
  moduleMissing: [404, '没有这个功能模块，请刷新后重试'],
  moduleFixed: [422, '该模块是使用系统的基础，不能停用或设置期限'],
  modulePast: [422, '开始日期不能早于今天，已过去的时间段不能改写'],
  moduleOverlap: [409, '有效期与已有的时间段重叠，请刷新后重试'],
  frameOrigin: [422, '嵌入来源须以https://开头；内网部署可填写http://加局域网地址'],
  noModule: [403, '未配置功能模块'],
})
