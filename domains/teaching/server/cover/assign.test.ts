import { expect, test } from 'vitest'
import { assignBest, impossible } from './assign.ts'

/** Every way to choose, tried out. */
function bestByTrying(scores: readonly (readonly number[])[], row = 0, used: readonly number[] = []): [count: number, sum: number] {
  if (row === scores.length) return [0, 0]
  let best = bestByTrying(scores, row + 1, used)
  for (const [column, score] of (scores[row] ?? []).entries()) {
    if (score === impossible || used.includes(column)) continue
    const [count, sum] = bestByTrying(scores, row + 1, [...used, column])
    if (count + 1 > best[0] || (count + 1 === best[0] && sum + score > best[1])) best = [count + 1, sum + score]
  }
  return best
}

test('50-A15 the assignment covers as many lessons as can be and is the best of all ways, nobody twice', () => {
  let seed = 7
  const random = (n: number) => { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648; return seed % n }
  for (let round = 0; round < 200; round += 1) {
    const [rows, columns] = [1 + random(4), 1 + random(5)]
    const scores = Array.from({ length: rows }, () => Array.from({ length: columns }, () => (random(3) === 0 ? impossible : random(60))))
    const chosen = assignBest(scores)
    const taken = chosen.filter(column => column !== null)
    expect(new Set(taken).size).toBe(taken.length)
    const sum = chosen.reduce<number>((total, column, row) => total + (column === null ? 0 : (scores[row]?.[column] ?? 0)), 0)
    expect([taken.length, sum]).toEqual(bestByTrying(scores))
  }
})
