import { weierstrassN } from '@noble/curves/abstract/weierstrass.js'
import { sm3 } from './sm3.ts'

/** Curve sm2p256v1 (GB/T 32918.5-2017). */
const Curve = weierstrassN({
  p: 0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffffn,
  n: 0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123n,
  h: 1n,
  a: 0xfffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffcn,
  b: 0x28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93n,
  Gx: 0x32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7n,
  Gy: 0xbc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0n,
})
const VERSION = 'v1'

/**
 * One field of a login or password body, encrypted for the server (platform rule C1): SM2, C1C3C2, hex with leading 04, over
 * the JSON `{v, k}`, so that the field is bound to the single-use captcha `cap_key`. Works without `crypto.subtle`, hence on
 * plain http too. `public_key` is hex with leading 04. Answers `v1:{key_id}:{hex}`. Throws Error(浏览器版本过低，请更换浏览器)
 * where there is no source of randomness, and an Error when `public_key` is no point of the curve.
 */
export function encryptField(plain: string, cap_key: string, public_key: string, key_id: string): string {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') throw new Error('浏览器版本过低，请更换浏览器')
  const message = new TextEncoder().encode(JSON.stringify({ v: plain, k: cap_key }))
  return `${VERSION}:${key_id}:${hexOf(encrypt(message, public_key))}`
}

/** SM2 encryption (GB/T 32918.4-2016): C1 ‖ C3 ‖ C2. */
function encrypt(message: Uint8Array, public_key: string): Uint8Array {
  const key = Curve.fromHex(public_key)
  key.assertValidity()
  for (;;) {
    const k = randomScalar()
    const c1 = Curve.BASE.multiply(k).toBytes(false)
    const shared = key.multiply(k).toBytes(false)
    const [x2, y2] = [shared.subarray(1, 33), shared.subarray(33)]
    const mask = derive(joined(x2, y2), message.length)
    if (mask.every(byte => byte === 0)) continue
    const c2 = message.map((byte, at) => byte ^ (mask[at] ?? 0))
    return joined(c1, sm3(joined(x2, message, y2)), c2)
  }
}

/** k of 1 … n−1, drawn again when out of range: no bias. */
function randomScalar(): bigint {
  const k = BigInt(`0x${hexOf(crypto.getRandomValues(new Uint8Array(32)))}`)
  return k > 0n && k < Curve.Fn.ORDER ? k : randomScalar()
}

/** Key derivation of the standard: SM3 over the seed and a counter. */
function derive(seed: Uint8Array, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) => {
    const counter = new Uint8Array(4)
    new DataView(counter.buffer).setUint32(0, at + 1)
    return sm3(joined(seed, counter))
  })
  return joined(...blocks).subarray(0, length)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap(part => [...part]))
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
