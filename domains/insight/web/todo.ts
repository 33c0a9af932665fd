import type { ImportBatch, JobRow } from '@campus/jobs/contract'

const day_ms = 86_400_000
/** A job that failed longer ago is history, not work. */
const FRESH_DAYS = 3

/** What waits: batches that are checked and not yet written, and jobs that failed lately. */
export type Todo = { batches: readonly ImportBatch[]; batch_total: number; failures: readonly JobRow[] }

/** The failed jobs of the last days. */
export function freshFailures(jobs: readonly JobRow[], now: number): JobRow[] {
  return jobs.filter(({ created_at }) => now - Date.parse(created_at) < FRESH_DAYS * day_ms)
}

/** One line about a batch: who uploaded what, and what stands in the way. */
export function batchText({ created_by_name, file_name, rows_total, rows_error }: Pick<ImportBatch, 'created_by_name' | 'file_name' | 'rows_total' | 'rows_error'>): string {
  const rows = `${rows_total.toLocaleString('zh-CN')}行`
  const errors = rows_error > 0 ? `，${rows_error.toLocaleString('zh-CN')}行有错误` : ''
  return `${created_by_name}上传 ${file_name}　${rows}${errors}`
}
