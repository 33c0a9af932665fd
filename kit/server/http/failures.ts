import { failures } from '@kit/contract'

/** Failures of the HTTP layer itself. */
export const httpErrors = failures('http', {
  wrongMethod: [405, '请求方式不支持'],
  tooSlow: [408, '请求超时，请检查网络后重试'],
  addressTooLong: [414, '请求地址过长'],
  headersTooLarge: [431, '请求头过大，请清除浏览器缓存后重试'],
  storageFull: [507, '存储空间不足，请联系管理员'],
})
