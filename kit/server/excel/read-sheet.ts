import { stat } from 'node:fs/promises'
import { defaultLimits } from './cell.ts'
import type { Cell, SheetLimits, SheetRow } from './cell.ts'
import type { CellRange } from './cell-range.ts'
import { SheetRefused } from './refusal.ts'
import type { RefusalReason } from './refusal.ts'
import { sharedSheetPool } from './sheet-pool.ts'
import type { SheetPool } from './sheet-pool.ts'

export interface ReadSheetOptions extends Partial<SheetLimits> {
  /** The name under which the file was uploaded, when `path` does not carry its extension. */
  file_name?: string
  /** Default: one pool of two threads for the whole process. */
  pool?: SheetPool
}

/** A visible sheet. Rows without any content are left out; `row_no` keeps their numbers. */
export interface ReadSheet {
  /** The name on its tab; empty for a CSV. */
  name: string
  rows: SheetRow[]
  /** Rows that are hidden or filtered away; they are among `rows`. */
  hidden_rows: number[]
  /** Why `rows` end early; only in a workbook of several sheets. */
  refusal: RefusalReason | null
}

/**
 * Reads the visible sheets of an xlsx, or a CSV, in a bounded worker thread. `rows` are those of the first sheet. Nothing is
 * written to disk and the file stays as it is.
 * Throws SheetRefused (see there for the sentences); file system errors come through unchanged.
 */
export async function readSheet(path: string, options: ReadSheetOptions = {}): Promise<{ rows: SheetRow[]; sheets: ReadSheet[] }> {
  const { file_name = path, pool = sharedSheetPool, ...given } = options
  const limits = { ...defaultLimits, ...given }
  const { size } = await stat(path)
  if (size > limits.max_bytes) throw new SheetRefused('too_big', limits)

  const found: SheetRow[][] = []
  try {
    const answer = await pool.run({ kind: 'read', input: { path, file_name, limits } }, (batch, sheet) => {
      const rows = (found[sheet] ??= [])
      for (const row of batch) rows.push(row)
    })
    if (answer.kind !== 'read') throw new Error(`A reading sheet worker answered ${answer.kind}`)
    const sheets = answer.sheets.map(({ name, marks, refusal }, at) => {
      const rows = found[at] ?? []
      markCells(rows, marks.formulas, cell => (cell.kind === 'error' ? cell : { text: cell.text, kind: 'formula' }))
      markCells(rows, marks.merges, (cell) => ({ ...cell, merged: true }))
      return { name, rows, hidden_rows: marks.hidden_rows, refusal }
    })
    return { rows: sheets[0]?.rows ?? [], sheets }
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
