import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Layout } from './layout/layout.tsx'
import { routeTable } from './route-table.ts'
import type { AppPath } from './route-table.ts'

// The layout draws the page itself, since kept pages outlive their match; routes only say which paths exist.
const root = createRootRoute({ component: Layout, notFoundComponent: () => null })

function routeOf<P extends string>(path: P) {
  return createRoute({ getParentRoute: () => root, path })
}

type Routes = { [P in AppPath]: ReturnType<typeof routeOf<P>> }

function routerOf(routes: Routes) {
  return createRouter({
    routeTree: root.addChildren(routes),
    // Search values are plain text on both sides, so that addresses stay readable.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (values) => {
      const text = new URLSearchParams(values).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

const routes = [...routeTable.keys()].map((path) => [path, routeOf(path)])

/** The console's router over the route table. */
export const router = routerOf(Object.fromEntries(routes))

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof routerOf>
  }
}
