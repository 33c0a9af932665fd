import { Loading, PageBoundary, PageContext } from '@kit/web'
import type { PageFacts, PageSearch } from '@kit/web'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { PageEntry } from '../route-table.ts'
import { product_version } from '../version.ts'

/** One page with its facts, its own error boundary and a skeleton while it loads. */
export function PageFrame({ entry, search, active }: { entry: PageEntry; search: PageSearch; active: boolean }): ReactNode {
  const { history } = useRouter()
  const { path, title } = entry.fact
  const facts = useMemo((): PageFacts => {
    const setSearch = (next: PageSearch) => {
      const text = new URLSearchParams(next).toString()
      history.push(text === '' ? path : `${path}?${text}`)
    }
    return { path, title, active, search, setSearch }
  }, [path, title, active, search, history])
  return (
    <PageContext value={facts}>
      <div className="app-page">
        <PageBoundary version={product_version}>
          <Suspense fallback={<Loading rows={12} />}>
            <entry.Page />
          </Suspense>
        </PageBoundary>
      </div>
    </PageContext>
  )
}
