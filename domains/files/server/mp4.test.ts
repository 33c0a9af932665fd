import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { asFastStart, readFilm, unplayable } from './mp4.ts'

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
const words = (...all: number[]) => {
  const bytes = Buffer.alloc(all.length * 4)
  all.forEach((word, at) => bytes.writeUInt32BE(word, at * 4))
  return bytes
}
const pixels = Buffer.alloc(5000, 7)

/** A film of two chunks, whose index says where they lie. */
function film(codec: string, chunks: readonly number[]): Buffer {
  const entry = Buffer.alloc(78)
  entry.writeUInt16BE(1280, 24)
  entry.writeUInt16BE(720, 26)
  const stbl = box('stbl', box('stsd', words(0, 1), box(codec, entry)), box('stco', words(0, chunks.length, ...chunks)))
  const hdlr = box('hdlr', words(0, 0), Buffer.from('vide'), Buffer.alloc(12))
  return box('moov', box('mvhd', words(0, 0, 0, 1000, 12_500)), box('trak', box('mdia', hdlr, box('minf', stbl))))
}
const ftyp = box('ftyp', Buffer.from('isom'), words(512))
const mdat_at = ftyp.length + 8
const late = (codec = 'avc1') => Buffer.concat([ftyp, box('mdat', pixels), film(codec, [mdat_at, mdat_at + 2500])])
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('60-A17 an index at the end moves to the front, the pictures stay byte for byte, and the index points at them', () => {
  const before = late()
  expect(readFilm(before)).toEqual({ codec: 'avc1', width: 1280, height: 720, duration_ms: 12_500, is_fast: false })
  const after = asFastStart(before) ?? Buffer.alloc(0)
  expect(readFilm(after)).toMatchObject({ is_fast: true, duration_ms: 12_500 })
  const at = after.indexOf('mdat') + 4
  expect(hash(after.subarray(at, at + pixels.length))).toBe(hash(pixels))
  const stco = after.indexOf('stco') + 4
  expect([after.readUInt32BE(stco + 8), after.readUInt32BE(stco + 12)]).toEqual([at, at + 2500])
  expect(after.length).toBe(before.length)
})

test('what boards play is H.264; of the beginning of a file the index is read where it is whole', () => {
  const fast = asFastStart(late()) ?? Buffer.alloc(0)
  const codecs = ['avc1', 'hvc1', 'vp09'].map(codec => readFilm(late(codec))).map(one => one && unplayable(one))
  expect(codecs).toEqual([null, 'HEVC', 'VP9'])
  expect(readFilm(fast.subarray(0, 1000), fast.length)).toMatchObject({ is_fast: true })
  expect(readFilm(late().subarray(0, 1000), late().length)).toBeNull()
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['noise', Buffer.alloc(3000, 5)],
  ['a cut off index', late().subarray(0, late().length - 40)],
  ['a box without end', Buffer.concat([ftyp, words(3), Buffer.from('mdat')])],
])('%s is no film', (_what, bytes) => {
  expect([readFilm(bytes), asFastStart(bytes)]).toEqual([null, null])
})
