import type { Cell, SheetLimits, SheetRow } from './cell.ts'
import { SheetRefused } from './refusal.ts'

export interface RowCollector {
  /** Refuses content outside the limits; call for every cell that is not empty, before keeping it. */
  count(row_no: number, column: number, cell: Cell): void
  /** Keeps a row that has content. */
  add(row: SheetRow): void
  /** Takes out what was kept since the last call. */
  take(): SheetRow[]
  /** Rows kept so far, taken ones included. */
  total(): number
}

/** Text that all sheets of a file have delivered so far. */
export interface TextSpent {
  text: number
}

/**
 * Holds the limits of one sheet while it is read. The total of text of the whole file is bounded too: one long shared text can
 * be named by millions of cells.
 */
export function createRowCollector(limits: SheetLimits, spent: TextSpent): RowCollector {
  const lastRow = limits.header_rows + limits.max_rows
  const maxText = limits.max_inflated / 2
  let rows: SheetRow[] = []
  let total = 0
  let cells = 0
  return {
    count(row_no, column, cell) {
      cells += 1
      spent.text += cell.text.length
      const outside = row_no > lastRow || column >= limits.max_columns || cells > limits.max_cells
      if (outside) throw new SheetRefused('too_many_rows')
      if (spent.text > maxText) throw new SheetRefused('not_allowed')
    },
    add(row) {
      total += 1
      rows.push(row)
    },
    take() {
      const taken = rows
      rows = []
      return taken
    },
    total: () => total,
  }
}
