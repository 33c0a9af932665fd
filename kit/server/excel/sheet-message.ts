import { cellKinds, emptyCell } from './cell.ts'
import type { Cell, CellKind, SheetRow } from './cell.ts'
import type { ErrorSheetInput } from './error-sheet.ts'
import type { RefusalReason } from './refusal.ts'
import type { ReadFacts, ReadInput } from './sheet-reader.ts'

/** What a sheet worker is started with. */
export type SheetJob = { kind: 'read'; input: ReadInput } | { kind: 'error_sheet'; input: ErrorSheetInput }

/** What it answers. After each batch of rows it waits for any message, so that the server's loop is never flooded. */
export type SheetAnswer =
  | { kind: 'rows'; batch: RowBatch }
  | { kind: 'read'; sheets: ReadFacts[] }
  | { kind: 'written'; bytes: Uint8Array }
  | { kind: 'refused'; reason: RefusalReason }

/** Words of drop-downs are short and come early; numbers of people are not looked for for ever. */
const longest_shared = 20
const most_shared = 20_000

/** Rows as flat lists: far cheaper to send between threads than an object for each cell. */
export interface RowBatch {
  /** Place of the sheet among those that are read. */
  sheet: number
  row_nos: number[]
  widths: number[]
  kinds: Uint8Array
  texts: string[]
}

export function packRows(rows: SheetRow[], sheet: number): RowBatch {
  const cells = rows.flatMap((row) => row.cells)
  return {
    sheet,
    row_nos: rows.map((row) => row.row_no),
    widths: rows.map((row) => row.cells.length),
    kinds: Uint8Array.from(cells, (cell) => cellKinds.indexOf(cell.kind)),
    texts: cells.map((cell) => cell.text),
  }
}

/** A function that opens batches of one sheet. Most cells of a sheet say what others say: such cells are one object. */
export function rowUnpacker(): (batch: RowBatch) => SheetRow[] {
  const known = new Map<string, Cell>()
  return batch => unpackRows(batch, known)
}

function unpackRows({ row_nos, widths, kinds, texts }: RowBatch, known: Map<string, Cell>): SheetRow[] {
  let at = 0
  return row_nos.map((row_no, index) => {
    const end = at + (widths[index] ?? 0)
    const cells: Cell[] = []
    for (; at < end; at++) {
      const kind = cellKinds[kinds[at] ?? 0] ?? 'empty'
      cells.push(kind === 'empty' ? emptyCell : cellOf(texts[at] ?? '', kind, known))
    }
    return { row_no, cells }
  })
}

function cellOf(text: string, kind: CellKind, known: Map<string, Cell>): Cell {
  if (kind !== 'text' || text.length > longest_shared) return { text, kind }
  const found = known.get(text)
  if (found) return found
  const cell: Cell = { text, kind }
  if (known.size < most_shared) known.set(text, cell)
  return cell
}
