import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Layout } from './layout/layout.tsx'
import { routeTable } from './route-table.ts'

// The layout draws the page itself, since kept pages outlive their match; routes only say which paths exist.
const root = createRootRoute({ component: Layout, notFoundComponent: () => null })
const routes = [...routeTable.keys()].map((path) => createRoute({ getParentRoute: () => root, path }))

/** The console's router. Search values are plain text on both sides, so that addresses stay readable. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values) => {
    const text = new URLSearchParams(values).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
