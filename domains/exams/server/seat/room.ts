/** A room as seating knows it; a cell is row × col_count + column, both from 0. */
export type Room = { room_id: string; number: number; col_count: number; row_count: number; path: 'S' | 'Z'; blocked: readonly number[] }

/** The cells with a seat, in the order of their numbers: column by column from the door; S turns at the end of each column, Z begins anew (chapter 55 rule 27). */
export function cellsOf({ col_count, row_count, path, blocked }: Room): number[] {
  const cells: number[] = []
  for (let col = 0; col < col_count; col++) {
    for (let step = 0; step < row_count; step++) {
      const row = path === 'S' && col % 2 === 1 ? row_count - 1 - step : step
      const cell = row * col_count + col
      if (!blocked.includes(cell)) cells.push(cell)
    }
  }
  return cells
}

/** The neighbours of a cell: left, right, in front, behind. */
export function besides(cell: number, { col_count, row_count }: Room): number[] {
  const [row, col] = [Math.floor(cell / col_count), cell % col_count]
  return [
    ...(col > 0 ? [cell - 1] : []), ...(col < col_count - 1 ? [cell + 1] : []), ...(row > 0 ? [cell - col_count] : []), ...(row < row_count - 1 ? [cell + col_count] : []),
  ]
}

/** 0 or 1, as on a chessboard: cells of one colour are never neighbours. */
export function colourOf(cell: number, { col_count }: Room): number {
  return (Math.floor(cell / col_count) + (cell % col_count)) % 2
}

/**
 * A largest set of cells of which no two are neighbours: how many of one class a room takes (chapter 55 rule 25). The graph has two colours, so the set is
 * what no smallest cover holds (König): exact by matching.
 */
export function apartCells(room: Room): number[] {
  const cells = cellsOf(room)
  const free = new Set(cells)
  const [left, right] = [cells.filter(cell => colourOf(cell, room) === 0), cells.filter(cell => colourOf(cell, room) === 1)]
  const next = new Map(left.map(cell => [cell, besides(cell, room).filter(one => free.has(one))]))
  const mateOfRight = new Map<number, number>()
  const mateOfLeft = new Map<number, number>()
  const grow = (cell: number, seen: Set<number>): boolean => (next.get(cell) ?? []).some(one => {
    if (seen.has(one)) return false
    seen.add(one)
    const mate = mateOfRight.get(one)
    if (mate !== undefined && !grow(mate, seen)) return false
    mateOfRight.set(one, cell)
    mateOfLeft.set(cell, one)
    return true
  })
  for (const cell of left) grow(cell, new Set())
  const reached = new Set(left.filter(cell => !mateOfLeft.has(cell)))
  const queue = [...reached]
  const reachedRight = new Set<number>()
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    for (const one of next.get(cell) ?? []) {
      if (reachedRight.has(one)) continue
      reachedRight.add(one)
      const mate = mateOfRight.get(one)
      if (mate !== undefined && !reached.has(mate)) {
        reached.add(mate)
        queue.push(mate)
      }
    }
  }
  return [...left.filter(cell => reached.has(cell)), ...right.filter(cell => !reachedRight.has(cell))].toSorted((a, b) => a - b)
}
