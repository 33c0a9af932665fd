import { statisticsApi } from '@campus/insight/contract'
import type { Figure, MetricCode, Overview } from '@campus/insight/contract'
import { call, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'

/** The figures of this morning; read again when the window comes back to the front. */
export function useOverview(): UseQueryResult<Overview> {
  const { active } = usePage()
  return useQuery({
    queryKey: [statisticsApi.overview.call],
    queryFn: ({ signal }) => call(statisticsApi.overview, {}, { signal, quiet: true }),
    refetchOnWindowFocus: true,
    enabled: active,
  })
}

/** Figures by their metric; what the identity may not know is absent. */
export type Figures = ReadonlyMap<MetricCode, Figure>

/** The figures of an answer by metric. */
export function figuresOf({ figures }: Overview): Figures {
  return new Map(figures.map((figure) => [figure.metric, figure]))
}
