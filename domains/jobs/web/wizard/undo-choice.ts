import type { ImportBatch } from '@campus/jobs/contract'
import { plannedText } from './batch-stage.ts'

type Undoable = Pick<ImportBatch, 'state' | 'undo_until' | 'rows_applied' | 'rows_undone' | 'rows_blocked' | 'is_mine'>

/** How a batch may be taken back now: as a whole, or the part that nothing blocks; null: not at all. */
export type UndoChoice = { partial: boolean; label: string }

/** What the undo button of a batch offers. */
export function undoOf(batch: Undoable, now: Date = new Date()): UndoChoice | null {
  const left = batch.rows_applied - batch.rows_undone - batch.rows_blocked
  if (!batch.is_mine || batch.state !== 'applied' || batch.undo_until === null || new Date(batch.undo_until) <= now || left <= 0) return null
  return batch.rows_blocked > 0 ? { partial: true, label: `撤销可撤销的 ${left.toLocaleString('zh-CN')} 行` } : { partial: false, label: '撤销本次导入' }
}

/** Whom an undo touches: 将撤销新增 12 人，变更 3 人. Where rows stayed behind, only the number of rows is known. */
export function undoText(batch: Undoable & Pick<ImportBatch, 'rows_new' | 'rows_change' | 'rows_recheck'>, unit: string): string {
  const is_whole = batch.rows_applied === batch.rows_new + batch.rows_change && batch.rows_undone + batch.rows_blocked === 0
  const left = batch.rows_applied - batch.rows_undone - batch.rows_blocked
  return is_whole ? `将撤销：${plannedText(batch, unit)}` : `将撤销已写入的 ${left.toLocaleString('zh-CN')} ${unit}`
}
