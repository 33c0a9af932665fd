import type { Verdict } from './verdict.ts'

/** Password of the device console: 1–8 digits; whether it is right the terminal decides (terminal chapter §7). */
export function checkDevicePassword(value: string): Verdict {
  if (value === '') return '密码不能为空'
  if (value.length > 8) return '密码最多8位数字'
  return /^[0-9]+$/.test(value) ? null : '密码错误'
}

/** File name of a terminal's firmware: jbn (system) or jap (application) (terminal chapter §7). */
export function checkFirmwareName(value: string): Verdict {
  return /\.(?:jbn|jap)$/i.test(value) ? null : '固件只支持jbn、jap格式'
}
