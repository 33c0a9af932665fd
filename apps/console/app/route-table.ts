import { schoolRoutes } from '@campus/school/contract'
import type { RouteFact } from '@kit/contract'
import { pages } from '@kit/web'
import type { PageTable } from '@kit/web'
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { domains } from './domains.ts'

/** Pages of the shell itself. */
const shellPages = pages({
  '/Dashboard': () => import('./pages/dashboard.page.tsx'),
  '/BusDashboard': () => import('./pages/bus-dashboard.page.tsx'),
  '/CusDashboard': () => import('./pages/cus-dashboard.page.tsx'),
  '/IconMenu': () => import('./pages/icon-menu.page.tsx'),
})

type PathOf<D> = D extends { pages: infer T } ? keyof T & string : never
/** Every path of the console; a link to any other does not compile. */
export type AppPath = keyof typeof shellPages | PathOf<(typeof domains)[number]>

/** One page of the console with the facts of its route. */
export type PageEntry = { fact: RouteFact; Page: ComponentType }

/** Every page by its path. A page without facts does not start, and facts without a page are not routable. */
export const routeTable: ReadonlyMap<string, PageEntry> = new Map(
  [{ facts: schoolRoutes, pages: shellPages }, ...domains].flatMap(({ facts, pages: table }) => entriesOf(facts, table)),
)

function entriesOf(facts: readonly RouteFact[], table: PageTable): [string, PageEntry][] {
  return Object.entries(table).map(([path, load]) => {
    const fact = facts.find((known) => known.path === path)
    if (!fact) throw new Error(`no route facts for ${path}`)
    return [path, { fact, Page: lazy(load) }]
  })
}
