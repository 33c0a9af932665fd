import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { drawCaptcha } from './draw.ts'
import { dotOf, signs } from './signs.ts'

test('there are 32 signs, none of them easily confused', () => {
  expect(new Set(signs).size).toBe(32)
  expect(signs).not.toMatch(/[01IO]/)
})

test('every sign has its own dots', () => {
  const shapes = [...signs].map(sign => Array.from({ length: 35 }, (_, at) => dotOf(sign, at % 5, Math.floor(at / 5))).join(''))
  expect(new Set(shapes).size).toBe(32)
})

test('the picture is a whole PNG of at most 12 KB, and never the same twice', () => {
  const picture = drawCaptcha('A7KZ')
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([120, 40])
  expect(picture.length).toBeLessThanOrEqual(12 * 1024)
  const data = picture.subarray(41, 41 + picture.readUInt32BE(33))
  expect(inflateSync(data).length).toBe(121 * 40)
  expect(drawCaptcha('A7KZ').equals(picture)).toBe(false)
})
