import { navigationApi } from '@campus/school/contract'
import { call, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { createContext } from 'react'

type Badge = { count: number; text: string }

/** What waits for a decision on each page, by its path; asked again whenever somebody comes back to the page. Without an answer there are none. */
export function useBadges(): ReadonlyMap<string, Badge> {
  const { active } = usePage()
  const { data } = useQuery({
    queryKey: [navigationApi.badges.call],
    queryFn: async ({ signal }) => new Map((await call(navigationApi.badges, {}, { signal, quiet: true })).list.map(({ path, ...badge }) => [path, badge])),
    refetchOnWindowFocus: true,
    refetchOnMount: 'always',
    enabled: active,
  })
  return data ?? none
}

const none: ReadonlyMap<string, Badge> = new Map()

/** The badges of the page around a tile. */
export const BadgesContext = createContext<ReadonlyMap<string, Badge>>(none)
