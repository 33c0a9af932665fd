import type { ImportBatch, JobRow } from '@campus/jobs/contract'
import { expect, test } from 'vitest'
import { batchText, freshFailures } from './todo.ts'

const job: JobRow = {
  job_no: '1', kind: 'import', title: '学生信息导入', state: 'failed', stage: null, total: 0, done: 0, failed: 0, has_result: false, cancel_asked: false,
  error_msg: '权限已失效', created_by_name: '刘刚', is_mine: true, created_at: '2026-11-20T07:00:00+08:00', finished_at: null,
}

test('a failure is work for three days', () => {
  const now = Date.parse(job.created_at)
  expect(freshFailures([job], now + 2 * 86_400_000)).toHaveLength(1)
  expect(freshFailures([job], now + 3 * 86_400_000)).toHaveLength(0)
})

test.each<[number, string]>([
  [0, '刘刚上传 学生.xlsx　3,906行'],
  [12, '刘刚上传 学生.xlsx　3,906行，12行有错误'],
])('a batch with %i wrong rows says so', (rows_error, text) => {
  const batch: Pick<ImportBatch, 'created_by_name' | 'file_name' | 'rows_total' | 'rows_error'> = { created_by_name: '刘刚', file_name: '学生.xlsx', rows_total: 3906, rows_error }
  expect(batchText(batch)).toBe(text)
})
