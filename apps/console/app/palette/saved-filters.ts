import { preferenceApi } from '@campus/school/contract'
import { call, readSaved } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Entry } from './entry.ts'

/** The person's saved filters of every page he may open, read when the palette opens. */
export function useSavedFilters(pages: readonly Entry[]): Entry[] {
  const { data } = useQuery({ queryKey: [preferenceApi.list.call, 'filters'], queryFn: ({ signal }) => call(preferenceApi.list, { kind: 'filters' }, { signal, quiet: true }) })
  return useMemo(() => filterEntries(pages, data?.list ?? []), [pages, data])
}

/** One line a filter: its name, and the page that it opens filtered. */
export function filterEntries(pages: readonly Entry[], kept: readonly { pref_key: string; value: unknown }[]): Entry[] {
  return kept.flatMap(({ pref_key, value }) => {
    const page = pages.find(({ key }) => pref_key === `filters:${key}` || pref_key.startsWith(`filters:${key}/`))
    if (!page) return []
    return readSaved(value).map(({ name, values }, at): Entry => ({ key: `filter-${page.key}-${at}`, title: name, about: `${page.title} · 常用筛选`, target: { address: `${page.key}?${new URLSearchParams(values).toString()}` } }))
  })
}
