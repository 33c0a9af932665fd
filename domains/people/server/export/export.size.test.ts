import { bulk_export_code } from '@campus/people/contract'
import { expect, test } from 'vitest'
import { sizeFailure } from './export.size.ts'

const plain = new Set<string>()
const bulk = new Set([bulk_export_code])

test.each([
  [0, plain, null, null],
  [1000, plain, null, null],
  [1001, plain, null, '请填写原因'],
  [1001, plain, '核对', null],
  [20_000, plain, '核对', null],
  [20_001, plain, '核对', '超过可导出行数，请缩小范围'],
  [20_001, bulk, '核对', null],
  [20_001, bulk, null, '请填写原因'],
  [200_001, bulk, '核对', '超过可导出行数，请缩小范围'],
] as const)('%i rows', (rows, codes, reason, msg) => {
  expect(sizeFailure(rows, codes, reason)?.msg ?? null).toBe(msg)
})
