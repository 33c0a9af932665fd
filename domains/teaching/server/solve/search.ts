import type { Model } from './model.ts'
import { SearchState } from './search-state.ts'

/** How far a search has come. `hard`: clashes, `soft`: days that hold a course twice or a teacher too often. */
type Progress = { hard: number; soft: number; moves: number }
/** Where each lesson of the model is at the end; -1: it found no place, `reasons` says of some why. */
export type Solution = Progress & { at: number[]; unplaced: number; reasons: string[] }
/** `moves` of the whole search; `stop` is asked now and then, true ends the search with the best so far; `first` ends it as soon as nothing clashes. */
type Options = { seed: number; moves: number; stop?: (progress: Progress) => boolean; first?: boolean }

const [hot, cold] = [6, 0.15] as const
const look_every = 4096

/**
 * Simulated annealing over shifts and swaps inside a class, evaluated by the change alone (chapter 50 §3.9). The same model, seed and number of moves give
 * the same solution.
 */
export function search(model: Model, { seed, moves, stop, first = false }: Options): Solution {
  const state = new SearchState(model, mulberry(seed))
  const best = { at: state.at.slice(), cost: state.cost(), hard: state.hard, soft: state.soft }
  let done = 0
  for (; done < moves; done += 1) {
    if (first && best.hard === 0) break
    if (done % look_every === 0 && stop?.({ hard: best.hard, soft: best.soft, moves: done }) === true) break
    const before = state.cost()
    const moved = state.propose()
    if (moved === 0) continue
    const after = state.cost()
    const heat = hot * Math.pow(cold / hot, done / moves)
    if (after > before && state.random() >= Math.exp((before - after) / heat)) state.takeBack(moved)
    else if (after < best.cost) {
      best.at.set(state.at)
      Object.assign(best, { cost: after, hard: state.hard, soft: state.soft })
    }
  }
  state.restore(best.at)
  const reasons = state.dropClashing()
  const at = [...state.at]
  return { at, hard: state.hard, soft: state.soft, moves: done, unplaced: at.filter(slot => slot < 0).length, reasons }
}

/** Numbers from 0 to 1 by the seed alone. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
