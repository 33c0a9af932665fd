import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'

const Icon = lazy(() => import('./menu-icons.tsx'))

/** The icon of a menu entry by its name; the icons of all entries are one chunk, loaded behind the first paint. */
export function MenuIcon({ name }: { name: string }): ReactNode {
  return (
    <span className="app-menu-icon" aria-hidden>
      <Suspense>
        <Icon name={name} />
      </Suspense>
    </span>
  )
}
