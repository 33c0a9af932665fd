import { Loading, PageBoundary, PageContext, PageShell } from '@kit/web'
import type { PageFacts, PageSearch } from '@kit/web'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { PageEntry } from '../route-table.ts'
import { FamilyTabs } from './family-tabs.tsx'
import { product_version } from '../version.ts'

/** One page with its facts, in the frame of all pages, with its own error boundary and a skeleton while it loads. A bare page brings its own head. */
export function PageHost({ entry, search, active }: { entry: PageEntry; search: PageSearch; active: boolean }): ReactNode {
  const { history } = useRouter()
  const { path, title, bare = false } = entry.fact
  const facts = useMemo((): PageFacts => {
    const setSearch = (next: PageSearch) => {
      const text = new URLSearchParams(next).toString()
      history.push(text === '' ? path : `${path}?${text}`)
    }
    return { path, title, active, search, setSearch }
  }, [path, title, active, search, history])
  const page = (
    <PageBoundary version={product_version}>
      <Suspense fallback={<Loading rows={12} />}>
        <entry.Page />
      </Suspense>
    </PageBoundary>
  )
  return (
    <PageContext value={facts}>
      <div className="app-page">{bare ? <div className="kit-page-body">{page}</div> : <PageShell title={title} tabs={<FamilyTabs path={path} />}>{page}</PageShell>}</div>
    </PageContext>
  )
}
