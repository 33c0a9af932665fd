import type { ReactNode } from 'react'
import type { Spot } from './paint.ts'
import { usePainting } from './use-painting.ts'

/** A row or a column: its key, what its head shows, and how it is read aloud. */
export type GridLine = { key: string; label: ReactNode; title?: string }

export type PaintGridProps<Row extends GridLine, Column extends GridLine> = {
  /** what the grid is, read aloud */
  label: string
  /** head of the column of row heads */
  corner?: ReactNode
  rows: readonly Row[]
  columns: readonly Column[]
  /** the key of a cell; null: nothing is there and it cannot be chosen */
  keyOf: (row: Row, column: Column) => string | null
  renderCell: (row: Row, column: Column) => ReactNode
  /** how a cell is read aloud: colour and place alone say nothing */
  titleOf: (row: Row, column: Column) => string
  /** sets `data-tone` of the cell, by which its colour is chosen */
  toneOf?: (row: Row, column: Column) => string | undefined
  selected?: ReadonlySet<string>
  /** painted by dragging, by Shift with the arrows, or by a click; absent: cells are only read */
  onPaint?: (keys: string[]) => void
  /** Enter or a double click on a cell */
  onOpen?: (key: string) => void
  /** another key on a cell; true: it was used */
  onKey?: (key: string, cell: string) => boolean
  /** rows go on in the next one, as weeks do: a drag paints a run and not a rectangle */
  wraps?: boolean
}

/** A grid whose cells are chosen by dragging over them or by keys (arrows, Home, End, PageUp, PageDown, Shift to extend, Enter to open); prints on A4. */
export function PaintGrid<Row extends GridLine, Column extends GridLine>(props: PaintGridProps<Row, Column>): ReactNode {
  const { label, corner, rows, columns, keyOf, onPaint, onOpen, onKey, wraps = false } = props
  const keyAt = ({ row, column }: Spot) => {
    const [line, head] = [rows[row], columns[column]]
    return line && head ? keyOf(line, head) : null
  }
  const { area, focus, handlers } = usePainting({ rows: rows.length, columns: columns.length, wraps, first: firstSpot(props), keyAt, onPaint, onOpen, onKey })
  return (
    <div ref={area} className="kit-grid" role="grid" tabIndex={-1} aria-label={label} aria-multiselectable={onPaint !== undefined} {...handlers}>
      <div role="rowgroup" className="kit-grid-head">
        <div role="row">
          <div role="columnheader">{corner}</div>
          {columns.map(column => <div key={column.key} role="columnheader" title={column.title}>{column.label}</div>)}
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row, at) => (
          <div key={row.key} role="row">
            <div role="rowheader" title={row.title}>{row.label}</div>
            {columns.map((column, nth) => <Cell key={column.key} of={props} row={row} column={column} spot={{ row: at, column: nth }} is_focus={focus.row === at && focus.column === nth} />)}
          </div>
        ))}
      </div>
    </div>
  )
}

type CellProps<Row extends GridLine, Column extends GridLine> = { of: PaintGridProps<Row, Column>; row: Row; column: Column; spot: Spot; is_focus: boolean }

function Cell<Row extends GridLine, Column extends GridLine>({ of, row, column, spot, is_focus }: CellProps<Row, Column>): ReactNode {
  const key = of.keyOf(row, column)
  return (
    <div
      role="gridcell" data-spot={`${spot.row}-${spot.column}`} data-cell={key ?? undefined} data-tone={key === null ? undefined : of.toneOf?.(row, column)} data-none={key === null || undefined}
      tabIndex={is_focus ? 0 : -1} aria-selected={key !== null && of.selected?.has(key) === true}
    >
      <span className="kit-hidden">{key === null ? '无' : of.titleOf(row, column)}</span>
      {key !== null && <span aria-hidden>{of.renderCell(row, column)}</span>}
    </div>
  )
}

/** The first cell where something is, so that Tab leads to it. */
function firstSpot<Row extends GridLine, Column extends GridLine>({ rows, columns, keyOf }: PaintGridProps<Row, Column>): Spot {
  for (const [row, line] of rows.entries()) {
    const column = columns.findIndex(head => keyOf(line, head) !== null)
    if (column >= 0) return { row, column }
  }
  return { row: 0, column: 0 }
}
