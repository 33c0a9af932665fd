import type { RouteFact, RouteFamily } from '@kit/contract'
import { domains } from './domains.ts'

/** The facts of every route; apart from the table of pages, whose pages ask for families. */
export const routeFacts: readonly RouteFact[] = domains.flatMap(({ facts }) => facts)

const families = new Map(routeFacts.map(({ path, family }) => [path, family]))

/** The family of a route, where it has one. */
export function familyOf(path: string): RouteFamily | undefined {
  return families.get(path)
}
