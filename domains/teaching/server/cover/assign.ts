/** No pair: nothing may be assigned there. */
export const impossible = -1

/**
 * The best way to give each row one column and each column to one row at most (Hungarian method, O(n³)). Rows whose best is nothing stay without.
 * @param scores rows × columns, higher is better; `impossible` where the pair may not be
 * @returns the column of each row, or null
 */
export function assignBest(scores: readonly (readonly number[])[]): (number | null)[] {
  const rows = scores.length
  const columns = scores[0]?.length ?? 0
  const size = Math.max(rows, columns)
  if (rows === 0 || columns === 0) return scores.map(() => null)
  const top = Math.max(0, ...scores.flat()) + 1
  // A pair costs less the better it is; one that may not be costs more than all others together.
  const forbidden = top * (size + 1)
  const cost = (row: number, column: number) => {
    const score = scores[row]?.[column]
    return score === undefined || score === impossible ? forbidden : top - score
  }
  const owner = solve(size, cost)
  return scores.map((_, row) => {
    const column = owner.indexOf(row)
    const score = scores[row]?.[column]
    return column < 0 || score === undefined || score === impossible ? null : column
  })
}

type Cost = (row: number, column: number) => number
/** Prices of rows and columns, which row owns a column, by which column a row came there; 1-based, 0 = none. */
type Match = { size: number; cost: Cost; by_row: Float64Array; by_column: Float64Array; owner: Int32Array; way: Int32Array }

const read = (list: Float64Array | Int32Array, at: number): number => list[at] ?? 0

/** @returns for each column its row */
function solve(size: number, cost: Cost): number[] {
  const [reals, whole] = [() => new Float64Array(size + 1), () => new Int32Array(size + 1)]
  const match: Match = { size, cost, by_row: reals(), by_column: reals(), owner: whole(), way: whole() }
  for (let row = 1; row <= size; row += 1) placeRow(match, row)
  return Array.from(match.owner.slice(1), row => row - 1)
}

/** Finds the cheapest way to make room for one more row, and moves the rows on that way by one column each. */
function placeRow(match: Match, row: number): void {
  const { size, owner, way } = match
  owner[0] = row
  let column = 0
  const least = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY)
  const used = new Set<number>()
  while (read(owner, column) !== 0) {
    used.add(column)
    column = nearestColumn(match, column, least, used)
  }
  while (column !== 0) {
    const before = read(way, column)
    owner[column] = read(owner, before)
    column = before
  }
}

/** The cheapest column that is not used yet; prices follow. */
function nearestColumn({ size, cost, by_row, by_column, owner, way }: Match, from: number, least: Float64Array,
  used: ReadonlySet<number>): number {
  const own = read(owner, from)
  let next = 0
  for (let at = 1; at <= size; at += 1) {
    if (used.has(at)) continue
    const reduced = cost(own - 1, at - 1) - read(by_row, own) - read(by_column, at)
    if (reduced < read(least, at)) {
      least[at] = reduced
      way[at] = from
    }
    if (next === 0 || read(least, at) < read(least, next)) next = at
  }
  const step = read(least, next)
  for (let at = 0; at <= size; at += 1) {
    const row = read(owner, at)
    if (used.has(at)) {
      by_row[row] = read(by_row, row) + step
      by_column[at] = read(by_column, at) - step
    } else least[at] = read(least, at) - step
  }
  return next
}
