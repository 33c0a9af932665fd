import { adapter_facts, match_words, shape_facts } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderRow, ProviderShape } from '@campus/identity/contract'

/** What stands beside a way to sign in in the list. */
export function stateOf({ enabled, problem }: Pick<ProviderRow, 'enabled' | 'problem'>): { word: string; color: 'green' | 'orange' | 'default' | 'red' } {
  if (problem !== null) return enabled ? { word: '不可用', color: 'red' } : { word: '待完善', color: 'orange' }
  return enabled ? { word: '已启用', color: 'green' } : { word: '未启用', color: 'default' }
}

/** What needs a decision stands first: on and broken, then not yet whole, then the rest as they came. */
export function urgentFirst(rows: readonly ProviderRow[]): ProviderRow[] {
  const rank = ({ enabled, problem }: ProviderRow) => (problem === null ? 2 : enabled ? 0 : 1)
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** By what people are found, in words. */
export function matchWord({ adapter, match_by }: Pick<ProviderRow, 'adapter' | 'match_by'>): string {
  if (adapter === 'test' || adapter === 'one_time_code') return '指定账号'
  return match_words[match_by][0]
}

/** Ways that can still be added: one a shape and adapter. */
export function freeShapes(adapter: ProviderAdapter, taken: readonly ProviderRow[]): ProviderShape[] {
  return adapter_facts[adapter].shapes.filter(shape => !taken.some(row => row.adapter === adapter && row.shape === shape))
}

export function shapeWord(shape: ProviderShape): string {
  return `${shape_facts[shape].name}（${shape_facts[shape].parameters}）`
}
