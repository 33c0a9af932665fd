import { Can } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { useLocation } from '@tanstack/react-router'
import { Activity, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { fallback_page } from '../../login/navigation.ts'
import { Forbidden } from '../pages/forbidden.tsx'
import { NotFound } from '../pages/not-found.tsx'
import { routeTable } from '../route-table.ts'
import type { PageEntry } from '../route-table.ts'
import { useSession } from '../session/session.ts'
import { keepPage } from './keep-pages.ts'
import { PageHost } from './page-host.tsx'

type Visit = { path: string; text: string; search: PageSearch; entry: PageEntry }

/** The current page, and behind it the kept ones with their state and scroll. */
export function PageStack(): ReactNode {
  const { pathname, searchStr } = useLocation()
  const [kept, setKept] = useState<Visit[]>([])
  const entry = useEntry(pathname)
  const search = useMemo(() => Object.fromEntries(new URLSearchParams(searchStr)), [searchStr])
  const keeps = entry?.fact.keep_alive === true
  const last = kept.at(-1)
  if (entry && keeps && (last?.path !== pathname || last.text !== searchStr)) setKept(keepPage(kept, { path: pathname, text: searchStr, search, entry }))
  useTitle(entry)
  return (
    <>
      {kept.map((page) => (
        <Activity key={page.path} mode={page.path === pathname ? 'visible' : 'hidden'}>
          <Guarded entry={page.entry} search={page.search} active={page.path === pathname} />
        </Activity>
      ))}
      {!entry && <NotFound />}
      {entry && !keeps && <Guarded key={pathname} entry={entry} search={search} active />}
    </>
  )
}

const NotLicensed = lazy(() => import('../pages/not-licensed.tsx').then(part => ({ default: part.NotLicensed })))

/** The page of a path; a school's pages are none of an enterprise, and the other way round (platform rule N5). */
function useEntry(path: string): PageEntry | undefined {
  const { school } = useSession()
  const entry = routeTable.get(path)
  return entry?.fact.school_types.some((type) => type === school.school_type) ? entry : undefined
}

/**
 * A page its holder may open; 无权限查看 otherwise, and another sentence where the school has not licensed it. Whoever stands on a page that is
 * taken from the menu stays until he leaves (chapter 10 §7).
 */
function Guarded({ entry, search, active }: { entry: PageEntry; search: PageSearch; active: boolean }): ReactNode {
  const { paths } = useSession()
  const [was_open] = useState(entry.fact.path === fallback_page || paths.has(entry.fact.path))
  const page = was_open || paths.has(entry.fact.path) ? <PageHost entry={entry} search={search} active={active} /> : <Suspense fallback={null}><NotLicensed title={entry.fact.title} /></Suspense>
  if (entry.fact.need === undefined) return page
  return (
    <Can code={entry.fact.need} otherwise={<Forbidden />}>
      {page}
    </Can>
  )
}

function useTitle(entry: PageEntry | undefined): void {
  const { school } = useSession()
  useEffect(() => {
    document.title = `${entry?.fact.title ?? '页面不存在'} - ${school.school_name}`
  }, [entry, school.school_name])
}
