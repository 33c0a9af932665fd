import { personApi, personPageApi } from '@campus/people/contract'
import type { PersonHead, Timeline } from '@campus/people/contract'
import { call, onWritten, sentenceOf } from '@kit/web'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** What may have changed something that the page of a person shows: his file, what he holds, his account. */
const concerning = /^(people|devices|identity\.(account|member))\./
const shown = [personPageApi.head.call, personPageApi.today.call, personPageApi.timeline.call, personApi.detail.call]

/** Reads the page again after every act on it. */
export function useReadAfterActs(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onWritten(name => {
        if (concerning.test(name)) for (const key of shown) void client.invalidateQueries({ queryKey: [key] })
      }),
    [client],
  )
}

type Asked<T> = { data: T | undefined; failed: string | null; again: () => void }

/** Who somebody is. */
export function useHead(id: string): Asked<PersonHead> {
  const query = useQuery({ queryKey: [personPageApi.head.call, id], queryFn: ({ signal }) => call(personPageApi.head, { id }, { signal, quiet: true }) })
  return { data: query.data, failed: query.error && !query.data ? sentenceOf(query.error) : null, again: () => void query.refetch() }
}

/** Short lines about his day. */
export function useToday(id: string) {
  const query = useQuery({ queryKey: [personPageApi.today.call, id], queryFn: ({ signal }) => call(personPageApi.today, { id }, { signal, quiet: true }) })
  return { data: query.data, again: () => void query.refetch() }
}

export type Asking = { domains: readonly string[] | null; to: string | undefined }

/** What happened to him, page after page; `domains` null: everything. */
export function useTimeline(id: string, { domains, to }: Asking): Asked<Timeline> & { more: (() => void) | null; loading: boolean } {
  const query = useInfiniteQuery({
    queryKey: [personPageApi.timeline.call, id, domains, to],
    queryFn: ({ signal, pageParam }) =>
      call(personPageApi.timeline, { id, ...(domains ? { domains: domains.join(',') } : {}), ...(to ? { to } : {}), ...(pageParam ? { cursor: pageParam } : {}) }, { signal, quiet: true }),
    initialPageParam: '',
    getNextPageParam: last => last.older,
  })
  const pages = query.data?.pages
  const last = pages?.at(-1)
  const unavailable = new Map(pages?.flatMap(page => page.unavailable).map(lane => [lane.lane, lane]))
  return {
    data: last && { ...last, list: pages?.flatMap(page => page.list) ?? [], unavailable: [...unavailable.values()] },
    failed: query.error && !query.data ? sentenceOf(query.error) : null,
    again: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    loading: query.isFetching,
  }
}
