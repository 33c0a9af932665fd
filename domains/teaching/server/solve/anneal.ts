/** How far a search has come. `hard`: what blocks, `soft`: what is only unwanted. */
export type Progress = { hard: number; soft: number; moves: number }

/** What annealing changes a little at a time: the state of a school's week, or of an XHSTT instance. */
export type Annealed = {
  readonly hard: number
  readonly soft: number
  readonly random: () => number
  cost: () => number
  /** @returns how many steps were done; `takeBack` undoes them, 0: nothing was changed */
  propose: () => number
  takeBack: (steps: number) => void
  /** remembers the state as the best one */
  keep: () => void
  /** goes back to what was kept last */
  restore: () => void
}

type Options = {
  hot: number; cold: number; moves: number
  /** share of the search that is over, from 0 to 1; absent: by the moves, which gives the same result for the same seed */
  share?: (moves: number) => number
  /** asked now and then; true ends the search with the best so far */
  stop?: ((progress: Progress) => boolean) | undefined
  /** ends as soon as nothing blocks */
  first?: boolean
}

const look_every = 4096

/**
 * Simulated annealing, geometric in the share of the search that is over (chapter 50 §3.9). The state is left at the best that was found.
 * @returns the moves that were tried, with the costs of the best
 */
export function anneal(state: Annealed, { hot, cold, moves, share, stop, first = false }: Options): Progress {
  const best = { cost: state.cost(), hard: state.hard, soft: state.soft }
  state.keep()
  let heat = hot
  let done = 0
  for (; done < moves; done += 1) {
    if (first && best.hard === 0) break
    if (done % look_every === 0) {
      if (stop?.({ hard: best.hard, soft: best.soft, moves: done }) === true) break
      heat = hot * Math.pow(cold / hot, share ? share(done) : done / moves)
    }
    const before = state.cost()
    const steps = state.propose()
    if (steps === 0) continue
    const after = state.cost()
    if (after > before && state.random() >= Math.exp((before - after) / heat)) state.takeBack(steps)
    else if (after < best.cost) {
      state.keep()
      Object.assign(best, { cost: after, hard: state.hard, soft: state.soft })
    }
  }
  state.restore()
  return { hard: best.hard, soft: best.soft, moves: done }
}

/** Numbers from 0 to 1 by the seed alone. */
export function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
