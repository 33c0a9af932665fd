import { expect, test } from 'vitest'
import { bucketOf, digestOf } from '../digest.ts'
import type { HeldRow } from '../digest.ts'
import type { Page } from '../driver.ts'
import { jdevDriver as driver } from './driver.ts'

const [rows_of_a_school, most_bytes] = [12_600, 64 * 1024]
const limits = driver.limits('')
const wanted: HeldRow[] = Array.from({ length: rows_of_a_school }, (_, n) => ({ key: `c${n}`, hash: n.toString(16).padStart(16, '0') }))

/** A device that holds these rows is read back; what it differs in, and the bytes of its answers. */
function readBack(held: readonly HeldRow[]) {
  const pages: Page[] = []
  let bytes = 0
  for (let cursor: Page['next'] = { step: 0, page: 0 }; cursor; cursor = pages.at(-1)?.next) {
    const { action, data } = driver.readback('credential', cursor, limits)
    const asked: unknown = JSON.parse(JSON.stringify(data))
    const said = action === 'sync.digest' ? { kind: 'credential', buckets: digestOf(held) } : { kind: 'credential', rows: held.filter(row => bucketsOf(asked).includes(bucketOf(row.key))) }
    bytes += JSON.stringify(said).length
    const page = driver.page('credential', cursor, { re: '1', action: 'reply', code: 'ok', message: '', data: said }, limits, wanted)
    if (!page) throw new Error('no page')
    pages.push(page)
  }
  return { drift: driver.compare(pages, wanted), bytes, asked: pages.length }
}

function bucketsOf(data: unknown): number[] {
  return typeof data === 'object' && data !== null && 'b' in data && Array.isArray(data.b) ? data.b : []
}

test('31-A17 a device that holds what it is to hold says so in one answer of a few kilobytes', () => {
  const { drift, bytes, asked } = readBack(wanted)
  expect([drift, asked]).toEqual([[], 1])
  expect(bytes).toBeLessThan(most_bytes)
})

test('31-A17 one corrupted row among 12,600, one that is missing and one that nobody has sent are found by reading their buckets alone', () => {
  const held = [...wanted.filter(row => row.key !== 'c77').map(row => (row.key === 'c5' ? { ...row, hash: 'f'.repeat(16) } : row)), { key: 'local', hash: 'e'.repeat(16) }]
  const { drift, bytes, asked } = readBack(held)
  expect(drift.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([{ key: 'c5', is: 'differs' }, { key: 'c77', is: 'missing' }, { key: 'local', is: 'foreign' }])
  expect([asked, bytes < most_bytes]).toEqual([2, true])
})

test('a device that lost everything is read to its end, a few buckets at a time', () => {
  const { drift, asked } = readBack([])
  expect([drift.length, drift.every(one => one.is === 'missing'), asked]).toEqual([rows_of_a_school, true, 9])
})

test('of a device that makes no digest every bucket is read', () => {
  const page = driver.page('person', { step: 0, page: 0 }, { re: '1', action: 'reply', code: 'unsupported', message: '', data: { code: 'unsupported' } }, limits, wanted)
  expect([page?.held, page?.next?.buckets?.length]).toEqual([[], 256])
})

test('an answer without rows or digest is no page', () => {
  for (const step of [0, 1]) expect(driver.page('person', { step, page: 0, buckets: [1] }, { re: '1', action: 'reply', code: 'busy', message: '', data: { code: 'busy' } }, limits, wanted)).toBeUndefined()
})
