import { matches } from './verdict.ts'

/** Mobile number: 1, one of 3457689, nine digits (platform rule V1). */
export const checkMobile = matches(/^1[3457689][0-9]{9}$/, '手机号格式不正确')

/** QQ number: 5–10 digits not starting with 0 (platform rule V1). */
export const checkQq = matches(/^[1-9][0-9]{4,9}$/, 'QQ号不合法')

/** IPv4 address in dotted decimals without leading zeros; whether a device may have it is another question (platform rule V1). */
export const checkIpv4 = matches(
  /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/, 'IP地址不合法', 15)

/** E-mail address: ASCII, no quoted local part, a top-level label of two letters at least (platform rule V1). */
export const checkEmail = matches(
  /^[A-Za-z0-9_%+-]+(?:\.[A-Za-z0-9_%+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/,
  '邮箱格式不正确', 254)
