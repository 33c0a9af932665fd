import type { Call, Reply, Request } from '@kit/contract'
import { call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** One call's answer for a tab: the data, or what stands there instead (a skeleton, or the fault with 重试); `ready` once it is one of the two. */
export function useLoaded<E extends Call>(endpoint: E, input: Request<E>): { data: Reply<E> | undefined; instead: ReactNode; ready: 'record' | 'failed' | undefined; refresh: () => Promise<unknown> } {
  const query = useQuery({
    queryKey: [endpoint.call, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal, quiet: true }),
  })
  const ready = query.isError ? 'failed' : query.isSuccess ? 'record' : undefined
  return { data: query.data, ready, instead: query.data ? null : <PartState query={query} rows={8} />, refresh: () => query.refetch() }
}
