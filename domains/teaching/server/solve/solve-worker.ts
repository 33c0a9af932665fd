import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { Model } from './model.ts'
import { search, searchChanges } from './search.ts'
import type { Solution } from './search.ts'

/** What a thread is given: the model, when to end, and a flag that ends it at once. */
export type SolveTask = { model: Model; seed: number; seconds: number; stop: SharedArrayBuffer }
const Task = z.object({ model: z.custom<Model>(), seed: z.number(), seconds: z.number(), stop: z.instanceof(SharedArrayBuffer) })

const post_every_ms = 500
/** Moves of one round; a round is as long as what this machine does in its time, measured by a short first one. */
const trial_moves = 200_000
const second_ms = 1000

const { model, seed, seconds, stop } = Task.parse(workerData)
const flag = new Int32Array(stop)
const began = performance.now()
let posted = 0

function look(progress: { hard: number; soft: number; moves: number }): boolean {
  const ms = performance.now() - began
  if (ms - posted > post_every_ms) {
    posted = ms
    parentPort?.postMessage({ kind: 'progress', seconds: ms / second_ms, ...progress })
  }
  return Atomics.load(flag, 0) === 1 || ms > seconds * second_ms
}

const find = model.stay === true ? searchChanges : search
const trial_began = performance.now()
let best = find(model, { seed, moves: trial_moves, stop: look })
const per_ms = best.moves / Math.max(1, performance.now() - trial_began)
const left = seconds * second_ms - (performance.now() - began)
const is_perfect = best.unplaced === 0 && best.soft === 0
if (!is_perfect && left > second_ms && Atomics.load(flag, 0) === 0) {
  const longer = find(model, { seed: seed + 1, moves: Math.max(trial_moves, Math.floor(per_ms * left)), stop: look })
  if (isBetter(longer, best)) best = { ...longer, moves: longer.moves + best.moves }
}
parentPort?.postMessage({ kind: 'done', seconds: (performance.now() - began) / second_ms, ...best })

/** Fewer lessons without a place, then fewer that moved where they are to stay, then less that is unwanted. */
function isBetter(a: Solution, b: Solution): boolean {
  return (a.unplaced - b.unplaced || movedOf(a) - movedOf(b) || a.soft - b.soft) < 0
}

function movedOf({ at }: Solution): number {
  return model.stay === true ? model.meets.slice(0, model.own).filter((one, n) => one.at >= 0 && one.at !== at[n]).length : 0
}
