import type { CardFact } from '@kit/contract'
import { lazy } from 'react'
import type { ComponentType } from 'react'

/** A card with the component that draws what is inside its frame. */
export type CardView = { fact: CardFact; Card: ComponentType }

/** How a domain gives its cards to the dashboards: every declared card with the part that holds it, fetched when it is first shown. */
export function cardViews<F extends CardFact>(facts: readonly F[], loads: Readonly<Record<F['code'], () => Promise<{ default: ComponentType }>>>): CardView[] {
  const parts: Readonly<Record<string, () => Promise<{ default: ComponentType }>>> = loads
  return facts.map(fact => {
    const load = parts[fact.code]
    if (!load) throw new Error(`no card for ${fact.code}`)
    return { fact, Card: lazy(load) }
  })
}
