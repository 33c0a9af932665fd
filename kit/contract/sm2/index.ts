import { sm2 } from 'sm-crypto-v2'

const C1C3C2 = 1
const VERSION = 'v1'

/**
 * One field of a login or password body, encrypted for the server (platform rule C1): SM2, C1C3C2, hex with leading 04, over
 * the JSON `{v, k}`, so that the field is bound to the single-use captcha `cap_key`. Works without `crypto.subtle`, hence on
 * plain http too. `public_key` is hex with leading 04. Answers `v1:{key_id}:{hex}`. Throws Error(浏览器版本过低，请更换浏览器)
 * where there is no source of randomness, and an Error when `public_key` is no point of the curve.
 */
export function encryptField(plain: string, cap_key: string, public_key: string, key_id: string): string {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') throw new Error('浏览器版本过低，请更换浏览器')
  const hex = sm2.doEncrypt(JSON.stringify({ v: plain, k: cap_key }), public_key, C1C3C2)
  return `${VERSION}:${key_id}:04${hex}`
}
