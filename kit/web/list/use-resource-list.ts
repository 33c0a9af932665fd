import type { Call, Endpoint, Reply } from '@kit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Key } from 'react'
import type { z } from 'zod'
import { send } from '../call/call.ts'
import { usePage } from '../page/page-context.ts'
import type { PageSearch } from '../page/page-context.ts'
import { readStoredJson, store } from '../session/storage.ts'
import type { Fields } from './fields.ts'
import { fallbackPage, listQueryOf, withValues } from './list-query.ts'

type Shape = z.core.$ZodType
/** An endpoint that answers `{list, total}`. */
export type ListCall = Call<Endpoint<Shape, Shape, z.core.$ZodType<{ list: unknown[]; total: number }>>>
type RowOf<E extends ListCall> = Reply<E>['list'][number]

/** A list on its way to the screen: what was asked, what came, and how to ask for something else. */
export type ResourceList<Row, Name extends string = string> = {
  fields: Fields<Row, Name>
  /** names the list in preferences: the route, and the part where a route has several lists */
  home: string
  rows: Row[]
  total: number
  page_index: number
  page_size: number
  values: PageSearch
  loading: boolean
  /** nothing has arrived yet */
  first: boolean
  error: Error | null
  /** when the shown rows arrived, in ms of the browser's clock; with `error` they are of then */
  updated_at?: number
  selected: Key[]
  select: (keys: Key[]) => void
  filterBy: (patch: Record<string, string | undefined>) => void
  goTo: (page_index: number, page_size: number) => void
  refresh: () => Promise<unknown>
}

/**
 * The list of one endpoint: filters and page live in the address bar, the page size is remembered per route, a page beyond
 * the end falls back to the last. `fixed` adds query values that are not the user's; `part` names a second list of a route.
 */
export function useResourceList<E extends ListCall, Name extends string>(
  endpoint: E,
  fields: Fields<RowOf<E>, Name>,
  options: { fixed?: Record<string, string>; part?: string } = {},
): ResourceList<RowOf<E>, Name> {
  const { path, active, search, setSearch } = usePage()
  const home = options.part ? `${path}/${options.part}` : path
  const { page_index, page_size, values } = listQueryOf(search, rememberedSize(home))
  const [selected, select] = useState<Key[]>([])
  const input = { ...values, ...options.fixed, page_index, page_size }
  const query = useQuery({
    queryKey: [endpoint.call, input],
    queryFn: ({ signal }) => send<{ list: RowOf<E>[]; total: number }>(endpoint, input, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    enabled: active,
  })
  const total = query.data?.total ?? 0
  const fallback = query.data && !query.isPlaceholderData ? fallbackPage(page_index, page_size, total) : undefined
  useEffect(() => {
    if (active && fallback !== undefined) setSearch({ ...search, page_index: String(fallback) })
  })
  const move = (next: PageSearch) => {
    select([])
    setSearch(next)
  }
  return {
    fields,
    home,
    rows: query.data?.list ?? [],
    total,
    page_index,
    page_size,
    values,
    loading: query.isFetching,
    first: query.data === undefined,
    error: query.error,
    updated_at: query.dataUpdatedAt,
    selected,
    select,
    filterBy: (patch) => move(withValues(search, patch)),
    goTo: (index, size) => {
      rememberSize(home, size)
      move({ ...search, page_index: String(index), page_size: String(size) })
    },
    refresh: () => query.refetch(),
  }
}

function rememberedSize(home: string): number | undefined {
  return sizes()[home]
}

function rememberSize(home: string, page_size: number): void {
  store('pageSizes', { ...sizes(), [home]: page_size })
}

function sizes(): Record<string, number> {
  const stored = readStoredJson('pageSizes')
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}
