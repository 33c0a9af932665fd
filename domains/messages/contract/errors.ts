import { failures } from '@kit/contract'

/** User-facing failures of messages (chapter 10 §11). */
export const messagesErrors = failures('messages', {
  personUnknown: [404, '接收人不存在或不属于本校'],
  messageNotFound: [404, '消息不存在或已被删除'],
  channelNotReady: [422, '该通道未配置，消息只会被记录，不会外发'],
  hostNotAllowed: [422, '该服务地址不在允许外发的名单内，请联系运维人员添加后再保存'],
  addressNotAllowed: [422, '预发布环境只能发送给名单内的号码或邮箱，请联系运维人员添加'],
  channelRefused: [422, '测试消息未能发出，请检查通道设置'],
  adapterUnknown: [422, '该通道不支持此发送方式'],
  recheckNeeded: [422, '请重新输入登录密码后再试'],
  wordsWrong: [422, '{problem}'],
  templateUnknown: [404, '消息模板不存在'],
})
