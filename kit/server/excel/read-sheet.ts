import { stat } from 'node:fs/promises'
import { defaultLimits } from './cell.ts'
import type { Cell, SheetLimits, SheetRow } from './cell.ts'
import type { CellRange } from './cell-range.ts'
import { SheetRefused } from './refusal.ts'
import { createSheetPool } from './sheet-pool.ts'
import type { SheetPool } from './sheet-pool.ts'

export interface ReadSheetOptions extends Partial<SheetLimits> {
  /** The name under which the file was uploaded, when `path` does not carry its extension. */
  file_name?: string
  /** Default: one pool of two threads for the whole process. */
  pool?: SheetPool
}

const sharedPool = createSheetPool()

/**
 * Reads the first visible sheet of an xlsx, or a CSV, in a bounded worker thread. Rows without any content are left out;
 * `row_no` keeps their numbers. Nothing is written to disk and the file stays as it is.
 * Throws SheetRefused (see there for the sentences); file system errors come through unchanged.
 */
export async function readSheet(path: string, options: ReadSheetOptions = {}): Promise<{ rows: SheetRow[] }> {
  const { file_name = path, pool = sharedPool, ...given } = options
  const limits = { ...defaultLimits, ...given }
  const { size } = await stat(path)
  if (size > limits.max_bytes) throw new SheetRefused('too_big', limits)

  const rows: SheetRow[] = []
  try {
    const answer = await pool.run({ kind: 'read', input: { path, file_name, limits } }, (batch) => {
      for (const row of batch) rows.push(row)
    })
    if (answer.kind !== 'read') throw new Error(`A reading sheet worker answered ${answer.kind}`)
    for (const range of answer.marks.merges) markCells(rows, range, (cell) => ({ ...cell, merged: true }))
    for (const range of answer.marks.formulas) markCells(rows, range, ({ text }) => ({ text, kind: 'formula' }))
    return { rows }
  } catch (error) {
    throw error instanceof SheetRefused ? new SheetRefused(error.reason, limits) : error
  }
}

/** Replaces the cells of a range, as far as they exist; merges do not overlap, so the work is bounded by the sheet. */
function markCells(rows: SheetRow[], range: CellRange, change: (cell: Cell) => Cell): void {
  for (let index = firstRowFrom(rows, range.top); index < rows.length; index++) {
    const row = rows[index]
    if (!row || row.row_no > range.bottom) return
    const end = Math.min(row.cells.length - 1, range.right)
    for (let column = range.left; column <= end; column++) {
      const cell = row.cells[column]
      if (cell) row.cells[column] = change(cell)
    }
  }
}

/** Rows are in order of their number. */
function firstRowFrom(rows: SheetRow[], row_no: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    const found = rows[middle]?.row_no ?? 0
    if (found < row_no) low = middle + 1
    else high = middle
  }
  return low
}
