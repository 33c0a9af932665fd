import { expect, test } from 'vitest'
import { meterPackets } from './packet-meter.ts'

const bound = { packet_bytes: 300, per_second: 5, burst: 3 }
const publish = (length: number) => Buffer.concat([Buffer.from([0x30]), lengthOf(length), Buffer.alloc(length, 0xff)])
const ack = Buffer.from([0x40, 0x02, 0, 1])

function lengthOf(length: number): Buffer {
  const bytes: number[] = []
  for (let left = length; bytes.length === 0 || left > 0; left = Math.floor(left / 128)) bytes.push((left % 128) | (left >= 128 ? 0x80 : 0))
  return Buffer.from(bytes)
}

function meter(clock = { ms: 0 }) {
  return meterPackets(() => bound, () => clock.ms)
}

test('packets of the longest length pass, however they are cut; one byte more does not', () => {
  const look = meter()
  for (const byte of publish(300)) expect(look(Buffer.from([byte]))).toBeNull()
  expect(look(publish(301).subarray(0, 3))).toBe('packet too large')
})

test('a length that never ends is no packet', () => {
  expect(meter()(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff]))).toBe('unreadable packet')
})

test('requests are counted and come back with time; acknowledgements are free', () => {
  const clock = { ms: 0 }
  const look = meter(clock)
  expect([1, 2, 3].map(() => look(publish(2)))).toEqual([null, null, null])
  expect(look(Buffer.concat([ack, ack, ack, ack]))).toBeNull()
  expect(look(publish(2))).toBe('too many packets')
  clock.ms = 1000
  expect(meter(clock)(Buffer.concat([publish(2), publish(2), publish(2)]))).toBeNull()
  clock.ms = 1400
  const again = meter(clock)
  expect(again(Buffer.concat([publish(1), publish(1), publish(1)]))).toBeNull()
  clock.ms = 1600
  expect(again(publish(1))).toBeNull()
})
