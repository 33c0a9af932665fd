import { anneal, mulberry } from '../solve/anneal.ts'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import type { Cost, Instance, SubEvent } from './instance.ts'
import { Neighbourhood } from './neighbourhood.ts'
import { State } from './state.ts'

type Heat = { hard_weight: number; hot: number; cold: number }
type Options = Heat & { seed: number; seconds: number; /** milliseconds since some moment */ clock: () => number }
type Solved = { sub_events: SubEvent[]; cost: Cost; moves: number }
/** The first descent takes this share of the time; reheated ones from its best share the rest. */
const [first_share, reheats, cooler, heavier] = [0.6, 3, 3, 1.6] as const

/** Searches until the time is over: annealing, then reheated from the best, with a heavier weight where something hard is left. */
export function solve(instance: Instance, { seed, seconds, clock, hard_weight, hot, cold }: Options): Solved {
  const began = clock()
  const search = new Neighbourhood(new State(compile(instance)), mulberry(seed), hard_weight)
  search.construct()
  const until = seconds * 1000
  let moves = 0
  let best: Solved | null = null
  for (let round = 0; round <= reheats; round += 1) {
    const from = clock() - began
    const span = round === 0 ? until * first_share - from : (until - from) / (reheats + 1 - round)
    if (span <= 0 || best?.cost.hard === 0 && best.cost.soft === 0) break
    const share = () => Math.min(1, (clock() - began - from) / span)
    const heat = round === 0 ? hot : hot / cooler
    moves += anneal(search, { hot: heat, cold, moves: Infinity, share, stop: () => share() >= 1 || search.hard + search.soft === 0 }).moves
    const sub_events = search.state.subEvents()
    const cost = evaluate(instance, sub_events)
    if (best === null || cost.hard < best.cost.hard || (cost.hard === best.cost.hard && cost.soft < best.cost.soft)) best = { sub_events,
      cost, moves }
    if (cost.hard > 0) search.hard_weight *= heavier
  }
  return best ? { ...best, moves } : { sub_events: search.state.subEvents(), cost: evaluate(instance, search.state.subEvents()), moves }
}

/** Weights and temperatures that fit the weights of an instance; further workers take heavier hard costs, so that one of them suits. */
export function heatOf({ constraints }: Instance, worker: number): Heat {
  const weights = constraints.filter(one => !one.required && one.weight > 0).map(one => one.weight).toSorted((a, b) => a - b)
  const [least, usual] = [weights[0] ?? 1, weights[Math.floor(weights.length / 3)] ?? 1]
  const hot = Math.min(40, Math.max(6, usual * 1.5))
  return { hard_weight: Math.min(150, Math.max(25, hot * 5)) * (1 + worker), hot, cold: Math.max(0.15, 0.15 * least) }
}
