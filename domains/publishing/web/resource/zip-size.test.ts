import { expect, test } from 'vitest'
import { mayUnfold, readZip } from './zip-size.ts'

/** An archive of one entry that says of itself to be so large. */
function zip(said: number, flags = 0): Uint8Array {
  const bytes = new Uint8Array(46 + 5 + 22)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x02014b50, true)
  view.setUint16(8, flags, true)
  view.setUint32(24, said, true)
  view.setUint16(28, 5, true)
  view.setUint32(51, 0x06054b50, true)
  view.setUint16(61, 1, true)
  view.setUint32(67, 0, true)
  return bytes
}

test('60-A15 an archive says what it unfolds to; one that grows without measure, a locked one and noise are not unfolded', () => {
  expect(readZip(zip(1000))).toEqual({ bytes: 1000, entries: 1, is_locked: false })
  const answers = [zip(1000), zip(4_000_000_000), zip(1000, 1), new Uint8Array(10), new Uint8Array(100)].map(mayUnfold)
  expect(answers).toEqual([true, false, false, false, false])
})
