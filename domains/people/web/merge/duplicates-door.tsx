import { Can } from '@kit/web'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'

const DuplicatesLink = lazy(() => import('./duplicates-link.tsx').then(part => ({ default: part.DuplicatesLink })))

/** 查重 for whoever may merge; its code comes after the list. */
export function DuplicatesDoor(): ReactNode {
  return (
    <Can code="people.merge.run">
      <Suspense fallback={null}><DuplicatesLink /></Suspense>
    </Can>
  )
}
