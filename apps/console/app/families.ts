import type { RouteFact, RouteFamily } from '@kit/contract'
import { domains } from './domains.ts'

/** The facts of every route. Read when asked for: chunks of the build that wait for one another have them only after their start. */
export function routeFacts(): readonly RouteFact[] {
  return domains.flatMap(({ facts }) => facts)
}

/** The family of a route, where it has one. */
export function familyOf(path: string): RouteFamily | undefined {
  return routeFacts().find(fact => fact.path === path)?.family
}
