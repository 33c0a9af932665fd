import type { Call, Reply, Request } from '@kit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { call } from '../call/call.ts'
import { usePage } from '../page/page-context.ts'

type Options = {
  /** false: not asked yet */
  enabled?: boolean
  /** shows the former answer until the next one arrives, e.g. while a filter changes */
  keep?: boolean
}

/** Reads one call for a component; asked again when its page is shown, or when an act names the call. Failures are shown by `<Loaded>`. */
export function useCall<E extends Call>(endpoint: E, input: Request<E>, { enabled = true, keep = false }: Options = {}): UseQueryResult<Reply<E>> {
  const { active } = usePage()
  return useQuery<Reply<E>>({
    queryKey: [endpoint.call, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal, quiet: true }),
    enabled: active && enabled,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  })
}
