import { Can } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { useLocation } from '@tanstack/react-router'
import { Activity, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Forbidden } from '../pages/forbidden.tsx'
import { NotFound } from '../pages/not-found.tsx'
import { routeTable } from '../route-table.ts'
import type { PageEntry } from '../route-table.ts'
import { useSession } from '../session/session.ts'
import { keepPage } from './keep-pages.ts'
import { PageFrame } from './page-frame.tsx'

type Visit = { path: string; text: string; search: PageSearch; entry: PageEntry }

/** The current page, and behind it the kept ones with their state and scroll. */
export function PageStack(): ReactNode {
  const { pathname, searchStr } = useLocation()
  const [kept, setKept] = useState<Visit[]>([])
  const entry = routeTable.get(pathname)
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

/** A page its holder may open; 无权限查看 otherwise. */
function Guarded({ entry, search, active }: { entry: PageEntry; search: PageSearch; active: boolean }): ReactNode {
  const page = <PageFrame entry={entry} search={search} active={active} />
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
