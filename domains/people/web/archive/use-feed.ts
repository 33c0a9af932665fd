import type { archiveFeedApi, FeedRow } from '@campus/people/contract'
import { call, usePage } from '@kit/web'
import type { Fields, ResourceList } from '@kit/web'
import { useInfiniteQuery } from '@tanstack/react-query'

export type FeedCall = typeof archiveFeedApi.student | typeof archiveFeedApi.teacher
export type Feed<Name extends string> = ResourceList<FeedRow, Name> & { more: (() => void) | null; loading_more: boolean }

/** The feed from the newest line on, as far as it was read; its filters live in the address bar. */
export function useFeed<Name extends string>(endpoint: FeedCall, fields: Fields<FeedRow, Name>): Feed<Name> {
  const { path, active, search, setSearch } = usePage()
  const query = useInfiniteQuery({
    queryKey: [endpoint.call, search],
    queryFn: ({ pageParam, signal }) => call(endpoint, { ...search, ...(pageParam ? { cursor: pageParam } : {}) }, { signal, quiet: true }),
    initialPageParam: '',
    getNextPageParam: last => last.older,
    enabled: active,
  })
  const rows = query.data?.pages.flatMap(page => page.list) ?? []
  return {
    fields, home: path, rows, total: rows.length, page_index: 1, page_size: 50, values: search, loading: query.isFetching, first: query.data === undefined,
    error: query.error, selected: [], select: () => undefined, goTo: () => undefined,
    filterBy: patch => setSearch(Object.fromEntries(Object.entries({ ...search, ...patch }).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''))),
    refresh: () => query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    loading_more: query.isFetchingNextPage,
  }
}
