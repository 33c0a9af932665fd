import type { ImportBatch } from '@campus/jobs/contract'
import type { JobView } from '@kit/web'
import { batchRuns, batchStates } from './batch-stage.ts'
import { adviceFor } from './file-check.ts'

const TENTH = 10
const HUNDRED = 100
const cancelled = '已取消'

/** What the server is doing with a batch. */
export const doing: Partial<Record<ImportBatch['state'], string>> = {
  uploaded: '文件已上传，等待解析',
  parsing: '正在解析并核对每一行',
  applying: '正在写入',
  undoing: '正在撤销',
}

/**
 * One sentence on where a batch stands, for those who hear the screen: progress in tenths, so that it is not said every second.
 * Empty where the screen has an alert, which is told by itself.
 */
export function toldOf(batch: ImportBatch, job: Pick<JobView, 'done' | 'total'> | undefined): string {
  if (batchRuns(batch)) {
    const tenths = job && job.total > 0 ? Math.floor((job.done / job.total) * TENTH) * (HUNDRED / TENTH) : 0
    return `${doing[batch.state]}，${tenths}%`
  }
  if (batch.state === 'parsed') {
    return `核对完成：错误 ${batch.rows_error} 行，警告 ${batch.rows_warn} 行，新增 ${batch.rows_new} 行，变更 ${batch.rows_change} 行，未变 ${batch.rows_same} 行，已忽略 ${batch.rows_skipped} 行`
  }
  return batch.state === 'applied' ? `已导入 ${batch.rows_applied} 行，需重新核对 ${batch.rows_recheck} 行` : ''
}

/** How a batch ended that nobody can go on with: what happened, what it means, and whether it is a failure. */
export function endingOf(batch: ImportBatch): { tone: 'error' | 'info'; title: string; advice?: string } {
  const { state, message } = batch
  if (state === 'undone') return { tone: 'info', title: batch.undo_message ?? '该批次已整批撤销' }
  if (state === 'expired') return { tone: 'info', title: message ?? '该批次超过 7 天未确认，已过期，请重新上传', advice: '没有写入任何数据。' }
  if (state === 'refused') return { tone: 'error', title: message ?? batchStates.refused.label, advice: adviceFor(message ?? '') }
  if (message === cancelled) return { tone: 'info', title: cancelled, advice: '没有写入任何数据，需要时可以重新上传同一文件。' }
  return { tone: 'error', title: message ?? batchStates[state].label, advice: '没有写入任何数据，文件没有问题。请稍后重新上传同一文件。' }
}

/** Sheets that are not read, in words: “填写说明”（2 行）. */
export function unreadText({ unread }: Pick<ImportBatch, 'unread'>): string {
  return unread.map(({ name, rows }) => `“${name}”（${rows.toLocaleString('zh-CN')} 行）`).join('、')
}

/** What an earlier attempt left to be said about a batch that can be applied again; null when there was none. */
export function earlierOf({ message }: Pick<ImportBatch, 'message'>): string | null {
  if (message === null) return null
  return message === cancelled ? '上次导入已取消，没有写入任何数据，可以再次确认导入' : `上次导入没有成功：${message}。没有写入任何数据，可以再次确认导入`
}
