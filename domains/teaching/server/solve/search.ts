import { anneal, mulberry } from './anneal.ts'
import type { Progress } from './anneal.ts'
import type { Model } from './model.ts'
import { SearchState } from './search-state.ts'
import { dropClashing } from './unplaced.ts'

/** Where each lesson of the model is at the end; -1: it found no place, `reasons` says of some why. */
export type Solution = Progress & { at: number[]; unplaced: number; reasons: string[] }
/** `moves` of the whole search; `stop` is asked now and then, true ends it with the best; `first` ends it as soon as nothing clashes. */
type Options = { seed: number; moves: number; stop?: (progress: Progress) => boolean; first?: boolean }

const search_heat = { hot: 6, cold: 0.15 } as const
/** A lesson away from its place costs more than any unwanted day, so that few are moved. */
const change_heat = { hot: 10, cold: 0.6 } as const
const change_rounds = 4

/** Simulated annealing over a school's week. The same model, seed and number of moves give the same solution. */
export function search(model: Model, { seed, moves, stop, first = false }: Options): Solution {
  const state = new SearchState(model, mulberry(seed))
  const { moves: done } = anneal(state, { ...search_heat, moves, stop, first })
  return solutionOf(state, model, done)
}

/**
 * Mends a timetable with as few moved lessons as it can: what clashes and its neighbours are searched first, then what is near to those
 * (chapter 50 §3.9.10).
 */
export function searchChanges(model: Model, { seed, moves, stop }: Omit<Options, 'first'>): Solution {
  const state = new SearchState({ ...model, stay: true }, mulberry(seed))
  let done = 0
  for (let round = 1; round <= change_rounds; round += 1) {
    state.focusOn(round)
    if (state.focus.length === 0) break
    const before = done
    const stopIn = (progress: Progress) => stop?.({ ...progress, moves: before + progress.moves }) === true
    done += anneal(state, { ...change_heat, moves: Math.ceil(moves / change_rounds), stop: stopIn }).moves
    state.goHome()
  }
  return solutionOf(state, model, done)
}

function solutionOf(state: SearchState, model: Model, moves: number): Solution {
  const reasons = dropClashing(state, model)
  const at = [...state.at.subarray(0, model.own)]
  return { at, hard: state.hard, soft: state.soft, moves, unplaced: at.filter(slot => slot < 0).length, reasons }
}
