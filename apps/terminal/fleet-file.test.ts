import { expect, test } from 'vitest'
import { readFleet } from './fleet-file.ts'

test('a fleet is read line by line', () => {
  expect(readFleet('# gates\nSN-1, secret1\r\n\nSN-2,secret2,vf105\n')).toEqual([{ sn: 'SN-1', secret: 'secret1' }, { sn: 'SN-2', secret: 'secret2', driver: 'vf105' }])
})

test.each([
  ['no secret', 'SN-1,a\nSN-2', 'line 2: expected'],
  ['a serial number that is none', 'SN/1,a', 'line 1: expected'],
  ['hardware nobody knows', 'SN-1,a,vf999', 'line 1: expected'],
  ['one twice', 'SN-1,a\nSN-1,b', 'line 2: SN-1 stands twice'],
  ['too many', Array.from({ length: 1001 }, (_, n) => `S${n},x`).join('\n'), '1001 devices'],
])('%s is refused with its line', (_name, text, sentence) => {
  expect(() => readFleet(text)).toThrow(sentence)
})
