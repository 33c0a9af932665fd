import type { ImportRow } from '@campus/jobs/contract'
import type { GridColumn } from './grid-columns.ts'

/** A cell by its row and column index on the page. */
export type Place = { r: number; c: number }

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
}

/** The place a key leads to, kept inside; undefined for keys that do not move. */
export function moved(place: Place, key: string, rows: number, columns: number): Place | undefined {
  if (key === 'Home') return { ...place, c: 0 }
  if (key === 'End') return { ...place, c: columns - 1 }
  const step = arrows[key]
  return step && { r: within(place.r + step[0], rows), c: within(place.c + step[1], columns) }
}

/** The next red cell after `from`, row by row, beginning again at the top; undefined when there is none. */
export function nextBad(rows: readonly ImportRow[], columns: readonly GridColumn[], from: Place): Place | undefined {
  const bad = rows.flatMap((row, r) => columns.flatMap((column, c) => (column.editable && hasError(row, column.prop) ? [{ r, c }] : [])))
  return bad.find(({ r, c }) => r > from.r || (r === from.r && c > from.c)) ?? bad[0]
}

/** True when the cell holds an error that still counts. */
export function hasError(row: ImportRow, prop: string): boolean {
  return row.verdict === 'error' && row.errors.some((issue) => issue.prop === prop)
}

/** Lines and columns of a text copied from a sheet; one line break at the end belongs to the last line. */
export function pastedLines(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()))
}

/** What a pasted block changes, row by row from `from` on; what falls outside the page or on a fixed column is dropped. */
export function pasteInto(
  lines: readonly (readonly string[])[],
  from: Place,
  rows: readonly ImportRow[],
  columns: readonly GridColumn[],
): { row_no: number; cells: Record<string, string> }[] {
  return lines.flatMap((line, down) => {
    const row = rows[from.r + down]
    if (!row) return []
    const cells = line.flatMap((text, right) => {
      const column = columns[from.c + right]
      return column?.editable && (row.cells[column.prop] ?? '') !== text ? [[column.prop, text] as const] : []
    })
    return cells.length > 0 ? [{ row_no: row.row_no, cells: Object.fromEntries(cells) }] : []
  })
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}
