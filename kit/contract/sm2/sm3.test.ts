import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sm3 } from './sm3.ts'

test('the example digest of the standard', () => {
  expect(Buffer.from(sm3(Buffer.from('abc'))).toString('hex')).toBe('66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0')
})

test('equals the native digest for every length around the block', () => {
  for (let length = 0; length <= 200; length += 1) {
    const message = randomBytes(length)
    expect(Buffer.from(sm3(message)).toString('hex')).toBe(createHash('sm3').update(message).digest('hex'))
  }
})
