import type { Call } from '@kit/contract'

/**
 * Calls by what they act on (`people.tag`), in the order of the first of each: small enough that a change of the data names its culprit, and
 * few enough that the whole database can be compared after each.
 */
export function groupCalls(calls: readonly Call[]): [noun: string, calls: Call[]][] {
  return [...Map.groupBy(calls, ({ call }) => call.split('.').slice(0, 2).join('.'))]
}
