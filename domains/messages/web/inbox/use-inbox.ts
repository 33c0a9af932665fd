import { inboxApi } from '@campus/messages/contract'
import { call, CallError, toast, useRealtime } from '@kit/web'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'

const LOOK_MS = 30_000

/** How many of my messages are unread, up to 100: as it is told, or looked up every half minute while the window is seen; and when it is seen again. Null until known. */
export function useUnread(): number | null {
  const live = useRealtime() === 'live'
  const { data } = useQuery({
    queryKey: [inboxApi.count.call],
    queryFn: ({ signal }) => call(inboxApi.count, {}, { signal, quiet: true }),
    refetchInterval: live ? false : LOOK_MS,
    refetchOnWindowFocus: true,
  })
  return data?.unread ?? null
}

/** My lines, newest first, page after page. */
export function useInbox(unread: boolean) {
  return useInfiniteQuery({
    queryKey: [inboxApi.list.call, unread],
    queryFn: ({ signal, pageParam }) => call(inboxApi.list, { ...(unread ? { unread: '1' as const } : {}), ...(pageParam === null ? {} : { before: pageParam }) }, { signal, quiet: true }),
    initialPageParam: firstPage(),
    getNextPageParam: ({ older }) => older,
    staleTime: 0,
  })
}

/** Marks lines of mine as read, or all of them; a failure is said and leaves them unread. */
export function useReading(): (which: { ids: string[] } | { all: 1 }) => Promise<void> {
  const client = useQueryClient()
  return async (which) => {
    try {
      await call(inboxApi.read, which)
    } catch (cause) {
      // A drawer covers the strip by which the console says that it is offline.
      if (!(cause instanceof CallError) || cause.msg === '') toast.error('网络异常，请检查网络')
      return
    }
    await Promise.all([inboxApi.count, inboxApi.list].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }
}

function firstPage(): string | null {
  return null
}
