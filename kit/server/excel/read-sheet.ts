import { stat } from 'node:fs/promises'
import { defaultLimits } from './cell.ts'
import type { Cell, SheetLimits, SheetRow } from './cell.ts'
import type { CellRange } from './cell-range.ts'
import { SheetRefused } from './refusal.ts'
import { sharedSheetPool } from './sheet-pool.ts'
import type { SheetPool } from './sheet-pool.ts'

export interface ReadSheetOptions extends Partial<SheetLimits> {
  /** The name under which the file was uploaded, when `path` does not carry its extension. */
  file_name?: string
  /** Default: one pool of two threads for the whole process. */
  pool?: SheetPool
}

/**
 * Reads the first visible sheet of an xlsx, or a CSV, in a bounded worker thread. Rows without any content are left out;
 * `row_no` keeps their numbers. Nothing is written to disk and the file stays as it is.
 * Throws SheetRefused (see there for the sentences); file system errors come through unchanged.
 */
export async function readSheet(path: string, options: ReadSheetOptions = {}): Promise<{ rows: SheetRow[] }> {
  const { file_name = path, pool = sharedSheetPool, ...given } = options
  const limits = { ...defaultLimits, ...given }
  const { size } = await stat(path)
  if (size > limits.max_bytes) throw new SheetRefused('too_big', limits)

  const rows: SheetRow[] = []
  try {
    const answer = await pool.run({ kind: 'read', input: { path, file_name, limits } }, (batch) => {
      for (const row of batch) rows.push(row)
    })
    if (answer.kind !== 'read') throw new Error(`A reading sheet worker answered ${answer.kind}`)
    const { merges, formulas } = answer.marks
    markCells(rows, formulas, ({ text }) => ({ text, kind: 'formula' }))
    markCells(rows, merges, (cell) => ({ ...cell, merged: true }))
    return { rows }
  } catch (error) {
    throw error instanceof SheetRefused ? new SheetRefused(error.reason, limits) : error
  }
}

/** Far above what people merge; overlapping ranges of a forged file could otherwise hold up the server for minutes. */
const maxMarked = 1_000_000

/** Replaces the cells of some ranges, as far as the cells exist. */
function markCells(rows: SheetRow[], ranges: CellRange[], change: (cell: Cell) => Cell): void {
  let marked = 0
  for (const range of ranges) {
    for (let index = firstRowFrom(rows, range.top); index < rows.length; index++) {
      const row = rows[index]
      if (!row || row.row_no > range.bottom) break
      marked += 1 + markRow(row.cells, range, change)
      if (marked > maxMarked) throw new SheetRefused('not_allowed')
    }
  }
}

function markRow(cells: Cell[], { left, right }: CellRange, change: (cell: Cell) => Cell): number {
  const part = cells.slice(left, right + 1)
  for (const [offset, cell] of part.entries()) cells[left + offset] = change(cell)
  return part.length
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
