import type { Model } from './model.ts'
import type { SearchState } from './search-state.ts'

const most_reasons = 20

/** Takes out lessons until nothing clashes, puts those back that fit somewhere, and says of the rest why not (chapter 50 §3.9.9). */
export function dropClashing(state: SearchState, model: Model): string[] {
  while (state.hard > 0) {
    const clashing = state.movable.filter(n => (state.at[n] ?? -1) >= 0).map(n =>
      ({ n, clashes: state.clashesOf(n) })).filter(({ clashes }) => clashes > 0)
    const [worst] = clashing.toSorted((a, b) => b.clashes - a.clashes)
    if (!worst) break
    state.put(worst.n, -1)
  }
  const out = state.movable.filter(n => (state.at[n] ?? -1) < 0 && !fitsSomewhere(state, model, n))
  return out.slice(0, most_reasons).map(n => reasonOf(state, model, n))
}

function fitsSomewhere(state: SearchState, { meets }: Model, n: number): boolean {
  return (meets[n]?.domain ?? []).some(slot => {
    state.put(n, slot)
    if (state.clashesOf(n) === 0) return true
    state.put(n, -1)
    return false
  })
}

function reasonOf(state: SearchState, { meets, resources }: Model, n: number): string {
  const one = meets[n]
  if (!one) return ''
  const parts = one.resources.flatMap(r => {
    const times = one.domain.filter(slot => state.isBusy(r, slot, one.mask)).length
    return times === 0 ? [] : [`${resources[r]?.kind === 'C' ? '班级' : (resources[r]?.name ?? '')}已占用${times}`]
  })
  return `「${one.name}」${one.domain.length}个时段：${parts.join('，') || '没有可用时段'}`
}
