import { remarkApi } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'

const kept_ms = 60_000

/** The remark fields of departments, archived ones last. */
export function useRemarks() {
  return useQuery({ queryKey: [remarkApi.config.call], queryFn: async ({ signal }) => (await call(remarkApi.config, {}, { signal, quiet: true })).list, staleTime: kept_ms })
}
