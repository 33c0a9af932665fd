import { page_sizes } from '@kit/contract'
import { usePage } from '@kit/web'
import type { Fields, ResourceList } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from 'react'
import { daysOf, default_size, filtersOf, withSearch } from './log-search.ts'
import type { Days } from './log-search.ts'

/** What a page of a journal answers. */
export type LogReply<Row> = { list: Row[]; total: number; is_bounded: boolean; older: string | null; newer: string | null; newest: string | null }
/** What a journal is asked: days, filters, and where the page begins. */
export type LogInput = Record<string, string>

export type LogList<Row, Name extends string> = ResourceList<Row, Name> & {
  days: Days
  setDays: (days: Days) => void
  /** the total stops at 10,000 */
  is_bounded: boolean
  is_first_page: boolean
  older: (() => void) | undefined
  newer: (() => void) | undefined
  /** position of the newest row shown */
  newest: string | null
  input: LogInput
  toNewest: () => void
  resize: (page_size: number) => void
}

/** A journal page by page, from the newest row on; days, filters and position live in the address bar. */
export function useLogList<Row, Name extends string>(name: string, fields: Fields<Row, Name>, read: (input: LogInput, signal: AbortSignal) => Promise<LogReply<Row>>): LogList<Row, Name> {
  const { path, active, search, setSearch } = usePage()
  const [selected, select] = useState<Key[]>([])
  const days = daysOf(search)
  const values = filtersOf(search)
  const size = page_sizes.find(one => String(one) === search.page_size) ?? default_size
  const input = { ...values, ...days }
  const asked = { ...input, page_size: String(size), ...(search.cursor ? { cursor: search.cursor } : {}) }
  const query = useQuery({ queryKey: [name, asked], queryFn: ({ signal }) => read(asked, signal), placeholderData: keepPreviousData, enabled: active })
  const { data } = query
  const change = (patch: Record<string, string | undefined>) => setSearch(withSearch(search, patch))
  const goTo = (cursor: string | null | undefined) => (cursor ? () => setSearch({ ...search, cursor }) : undefined)
  const toNewest = () => {
    if (search.cursor === undefined) void query.refetch()
    else change({})
  }
  return {
    fields, home: path, rows: data?.list ?? [], total: data?.total ?? 0, is_bounded: data?.is_bounded ?? false,
    page_index: 1, page_size: size, values, loading: query.isFetching, first: data === undefined, error: query.error,
    selected, select, days, input, newest: data?.newest ?? null, is_first_page: search.cursor === undefined,
    filterBy: change,
    goTo: (_index, page_size) => change({ page_size: String(page_size) }),
    refresh: () => query.refetch(),
    setDays: next => change(next),
    older: goTo(data?.older),
    newer: goTo(data?.newer),
    toNewest,
    resize: page_size => change({ page_size: String(page_size) }),
  }
}
