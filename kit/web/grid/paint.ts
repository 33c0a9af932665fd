/** Where a cell lies, both from 0. */
export type Spot = { row: number; column: number }
type Size = { rows: number; columns: number }

const steps: Readonly<Record<string, Spot>> = { ArrowLeft: { row: 0, column: -1 }, ArrowRight: { row: 0, column: 1 }, ArrowUp: { row: -1, column: 0 }, ArrowDown: { row: 1, column: 0 } }

/** Where a key leads from a cell; undefined for a key that does not move. `wraps`: rows go on in the next one, as weeks do. */
export function moved({ row, column }: Spot, key: string, { rows, columns }: Size, wraps: boolean): Spot | undefined {
  if (key === 'Home') return { row, column: 0 }
  if (key === 'End') return { row, column: columns - 1 }
  if (key === 'PageUp') return { row: 0, column }
  if (key === 'PageDown') return { row: rows - 1, column }
  const step = steps[key]
  if (!step) return undefined
  const at = row * columns + column + step.column
  if (wraps && step.row === 0) return at < 0 || at >= rows * columns ? { row, column } : { row: Math.floor(at / columns), column: at % columns }
  return { row: between(row + step.row, rows), column: between(column + step.column, columns) }
}

/** The cells from one to another: a run in reading order where rows wrap, else the rectangle between them. */
export function painted(from: Spot, to: Spot, columns: number, wraps: boolean): Spot[] {
  if (wraps) {
    const [a, b] = [from.row * columns + from.column, to.row * columns + to.column].toSorted((x, y) => x - y)
    return range(a ?? 0, b ?? 0).map(at => ({ row: Math.floor(at / columns), column: at % columns }))
  }
  const rows = range(Math.min(from.row, to.row), Math.max(from.row, to.row))
  return rows.flatMap(row => range(Math.min(from.column, to.column), Math.max(from.column, to.column)).map(column => ({ row, column })))
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

function between(at: number, count: number): number {
  return Math.min(Math.max(at, 0), count - 1)
}
