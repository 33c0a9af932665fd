import { describe, expect, test } from 'vitest'
import { bucket_count, bucketOf, canonical, decodeUp, differingBuckets, digestOf, encodeMessage, longest_message, PassItem, rowHash, upKindOf } from './index.ts'

const head = { id: 'm1', seq: 1, epoch: 'e1', ts: '2026-11-20T08:00:00.123+08:00' }
const hello = { sn: 'S1', model: 'JD-F10', store_id: 'a' }

describe('hashes', () => {
  test('the same content has one hash, whatever its order, its absent fields and its way to write an accent', () => {
    expect(rowHash({ a: 1, b: ['x'], c: undefined })).toBe(rowHash({ b: ['x'], a: 1 }))
    expect(rowHash('é')).toBe(rowHash('é'))
    expect(rowHash({ a: 1 })).not.toBe(rowHash({ a: 2 }))
    expect(canonical({ b: 1, a: [null, '中'] })).toBe('{"a":[null,"中"],"b":1}')
  })

  test('31-A17 equal sides have equal digests; one changed row shows in its bucket alone', () => {
    const rows = Array.from({ length: 12_600 }, (_, n) => ({ key: String(n), hash: rowHash(n) }))
    const changed = rows.with(77, { key: '77', hash: rowHash('other') })
    expect(differingBuckets(digestOf(rows), digestOf(rows.toReversed()))).toEqual([])
    expect(differingBuckets(digestOf(rows), digestOf(changed))).toEqual([bucketOf('77')])
    expect(JSON.stringify(digestOf(rows)).length).toBeLessThan(64 * 1024)
    expect(digestOf([])).toEqual(Array.from({ length: bucket_count }, () => ''))
  })
})

describe('messages', () => {
  test('what a device says comes back as it was said; unknown fields are ignored', () => {
    const read = decodeUp(encodeMessage(head, 'hello', { ...hello, colour: 'red' }))
    expect(read).toMatchObject({ message: { type: 'hello', id: 'm1', body: hello } })
    expect(JSON.stringify(read)).not.toContain('colour')
  })

  test.each([
    ['no JSON', Buffer.from('{'), 'json'],
    ['no object', Buffer.from('[]'), 'envelope'],
    ['another version', Buffer.from(JSON.stringify({ v: 2, ...head, type: 'hello', body: hello })), 'version'],
    ['a type nobody knows', encodeMessage(head, 'dance', {}), 'unsupported'],
    ['a body of another shape', encodeMessage(head, 'hello', { sn: 7 }), 'body'],
    ['a nesting that breaks whoever walks through it', Buffer.from(JSON.stringify({ v: 1, ...head, type: 'event', body: {} }).replace('{}', `{"items":[{"seq":1,"type":"pass","at":"x","d":${'['.repeat(5000)}${']'.repeat(5000)}}]}`)), 'too_deep'],
    ['too much', Buffer.alloc(longest_message + 1, 32), 'too_large'],
  ])('%s is told by its reason', (_, bytes, reason) => {
    expect(decodeUp(bytes)).toMatchObject({ bad: { reason } })
  })

  test('31-A5 ten thousand mutated messages are read or refused, and never thrown', () => {
    const whole = encodeMessage(head, 'event', { items: [{ seq: 1, type: 'pass', at: head.ts, verify: 2, result: 1 }] })
    let state = 7
    const next = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    const counts = { read: 0, refused: 0 }
    for (let n = 0; n < 10_000; n += 1) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change <= next(4); change += 1) bytes[next(bytes.length)] = next(256)
      counts['bad' in decodeUp(bytes.subarray(0, bytes.length - next(3))) ? 'refused' : 'read'] += 1
    }
    expect(counts.read + counts.refused).toBe(10_000)
    expect(counts.refused).toBeGreaterThan(5000)
  })

  test.each([{}, { verify: 40_000 }, { result: -40_000 }, { direction: 1e9 }, { temp_tenths: 40_000 }, { score: 1e300 }, { at: '0000-01-01T00:00:00Z' }, { at: '9999-12-31T23:59:59-12:00' }])('31-A10 a pass whose numbers or time cannot be kept is none: %j', wrong => {
    const pass = { seq: 1, at: head.ts, verify: 2, result: 1, ...wrong }
    expect(PassItem.safeParse(pass).success).toBe(Object.keys(wrong).length === 0)
  })

  test('a device’s topics are its own', () => {
    expect(upKindOf('jdev', 'S1', 'jdev/S1/up/event')).toBe('event')
    expect(upKindOf('jdev', 'S1', 'jdev/S2/up/event')).toBeUndefined()
    expect(upKindOf('jdev', 'S1', 'jdev/S1/up/event/more')).toBeUndefined()
  })
})
