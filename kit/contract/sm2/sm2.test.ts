import { sm2 } from 'sm-crypto-v2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { encryptField } from './index.ts'
import { decryptField, generateKeyPair, keyIdOf } from './server.ts'

const CAP_KEY = '0f9d6d3e-0d5c-4c7e-9a53-8b1f8f6f2a11'
const keys = generateKeyPair()
const seal = (plain: string) => encryptField(plain, CAP_KEY, keys.public_key, 'k-20261120')

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('an encrypted field', () => {
  test.each(['admin01', '', '密码 123，！', '陈𠀀😀', '"\\\n', 'aA1@'.repeat(16), '汉'.repeat(64), '\ud800'])('%j comes back with its captcha key', (plain) => {
    expect(decryptField(seal(plain), keys.private_key)).toEqual({ v: plain, k: CAP_KEY })
  })

  test('has the agreed shape and never twice the same bytes', () => {
    expect(seal('admin01')).toMatch(/^v1:k-20261120:04[0-9a-f]+$/)
    expect(seal('admin01')).not.toBe(seal('admin01'))
    expect(keyIdOf(seal('admin01'))).toBe('k-20261120')
  })

  test('does not open when any byte is changed', () => {
    const cipher = seal('Demo@Pass26')
    const start = cipher.lastIndexOf(':') + 1
    for (let at = start; at < cipher.length; at += 2) {
      const changed = (Number.parseInt(cipher.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0')
      expect(decryptField(cipher.slice(0, at) + changed + cipher.slice(at + 2), keys.private_key)).toBeNull()
    }
  })

  test('does not open with another key, cut short, or as plain text', () => {
    const cipher = seal('admin01')
    expect(decryptField(cipher, generateKeyPair().private_key)).toBeNull()
    expect(decryptField(cipher.slice(0, -2), keys.private_key)).toBeNull()
    expect(decryptField(cipher.slice(0, -1), keys.private_key)).toBeNull()
    expect(decryptField('Demo@Pass26', keys.private_key)).toBeNull()
    expect(keyIdOf('Demo@Pass26')).toBeNull()
  })

  test('does not open when it holds anything but {v, k}', () => {
    for (const content of ['admin01', '{"v":"a"}', '{"v":1,"k":"x"}', 'null', '[]']) {
      expect(decryptField(`v1:k1:04${sm2.doEncrypt(content, keys.public_key, 1)}`, keys.private_key)).toBeNull()
    }
  })

  test('is refused without randomness and with a key that is no point of the curve', () => {
    expect(() => encryptField('a', CAP_KEY, `04${'1'.repeat(128)}`, 'k1')).toThrow(/point/i)
    vi.stubGlobal('crypto', undefined)
    expect(() => seal('admin01')).toThrow('浏览器版本过低，请更换浏览器')
    vi.stubGlobal('crypto', {})
    expect(() => seal('admin01')).toThrow('浏览器版本过低，请更换浏览器')
  })
})
