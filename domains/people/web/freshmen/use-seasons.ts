import { freshmenApi, freshmenSeasonApi } from '@campus/people/contract'
import type { FreshmenSeason } from '@campus/people/contract'
import { call, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'

/** The seasons, and the one of the address: without it the one that runs, else the latest. */
export function useSeasons(): { query: UseQueryResult<FreshmenSeason[]>; season: FreshmenSeason | null; choose: (id: string) => void } {
  const { active, search, setSearch } = usePage()
  const query = useQuery({ queryKey: [freshmenSeasonApi.list.call], queryFn: async ({ signal }) => (await call(freshmenSeasonApi.list, {}, { signal, quiet: true })).list, enabled: active })
  const list = query.data ?? []
  const season = list.find(one => one.id === search.season_id) ?? list.find(one => one.state !== 'finished' && one.state !== 'draft') ?? list[0] ?? null
  return { query, season, choose: id => setSearch({ ...search, season_id: id }) }
}

/** After an act the applications and the figures of the seasons are read again. */
export function useFreshmenChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () => Promise.all([freshmenApi.page.call, freshmenApi.detail.call, freshmenSeasonApi.list.call].map(key => client.invalidateQueries({ queryKey: [key] })))
}
