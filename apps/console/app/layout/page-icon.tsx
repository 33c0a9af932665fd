import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'

const Icon = lazy(() => import('./page-icons.tsx').then((part) => ({ default: part.NamedIcon })))

/** The icon of a page by its name; the icons of all pages are one chunk, loaded behind the first paint. */
export function PageIcon({ name }: { name: string }): ReactNode {
  return (
    <span className="app-page-icon" aria-hidden>
      <Suspense>
        <Icon name={name} />
      </Suspense>
    </span>
  )
}

/** The same for screens of domains, which are handed the way to draw an icon. */
export function drawIcon(name: string): ReactNode {
  return <PageIcon name={name} />
}
