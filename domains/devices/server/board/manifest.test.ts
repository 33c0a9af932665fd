import { rowHash } from '@kit/terminal-protocol'
import { expect, test } from 'vitest'
import { planContent } from './manifest.ts'
import type { ContentRow, KnownRow } from './manifest.ts'

const sha = (sign: string) => sign.repeat(64)
const file = (sign: string, bytes: number): ContentRow => ({ row_key: `file:${sha(sign)}`, bytes, body: { bytes, mime: 'image/png' }, file_key: `1/2/20261124/${sign}.png` })
const plan = (plan_hash: string): ContentRow => ({ row_key: 'plan', bytes: 0, body: { plan_hash } })
const revoke: ContentRow = { row_key: 'revoke:7', bytes: 0, body: { sha256: [sha('a')] } }
const known = (row: ContentRow, more: Partial<KnownRow> = {}): KnownRow => ({ row_key: row.row_key, hash: rowHash(row.body), is_declared: true, reported: null, ...more })

test('30-A28 withdrawals go before the plan, the plan before files, small files before large ones', () => {
  const { puts } = planContent('publishing', [file('a', 900), plan('p1'), file('b', 10), revoke, { row_key: 'urgent:1', bytes: 0, body: { text: '撤离' } }], [])
  expect(puts.map(put => [put.row_key.split(':')[0], put.prio, put.bytes])).toEqual([['revoke', 1, 0], ['urgent', 1, 0], ['plan', 9, 0], ['file', 9, 10], ['file', 9, 900]])
})

test('what is the same goes out again in no version, what is no longer named is taken off, what comes back is told again', () => {
  const rows = [plan('p2'), file('b', 10)]
  const { puts, drops } = planContent('publishing', rows, [known(plan('p1')), known(file('b', 10)), known(file('a', 900))])
  expect([puts.map(put => put.row_key), drops]).toEqual([['plan'], [`file:${sha('a')}`]])
  expect(planContent('publishing', rows, rows.map(row => known(row)))).toEqual({ puts: [], drops: [], settled: [] })
  expect(planContent('publishing', rows, rows.map(row => known(row, { is_declared: false }))).puts).toHaveLength(2)
})

test('a withdrawal that nobody names any more stays until the device has said that it is done', () => {
  expect(planContent('publishing', [], [known(revoke)])).toEqual({ puts: [], drops: [], settled: [] })
  expect(planContent('publishing', [], [known(revoke, { reported: 'erased' })])).toEqual({ puts: [], drops: [], settled: ['revoke:7'] })
})

test.each([
  ['publishing', { row_key: 'ring', bytes: 0, body: {} }],
  ['voice', plan('p1')],
  ['publishing', { row_key: 'file:abc', bytes: 1, body: {}, file_key: 'x' }],
  ['publishing', { row_key: `file:${sha('a')}`, bytes: 1, body: {} }],
  ['publishing', { ...plan('p1'), file_key: 'x' }],
] as const)('%s may not declare %o', (source, row) => {
  expect(() => planContent(source, [row], [])).toThrow(Error)
})
