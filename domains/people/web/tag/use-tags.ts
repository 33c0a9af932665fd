import { staffApi, studentApi, tagApi } from '@campus/people/contract'
import type { TagRow } from '@campus/people/contract'
import { call, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

/** The tags of the school in order. */
export function useTags(): UseQueryResult<TagRow[]> {
  const { active } = usePage()
  return useQuery({ queryKey: [tagApi.list.call], queryFn: async ({ signal }) => (await call(tagApi.list, {}, { signal, quiet: true })).list, enabled: active })
}

/** After a change the tags, their members and the roll are read again. */
export function useTagsChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(() => Promise.all([tagApi.list, tagApi.members, studentApi.list, staffApi.list].map(endpoint => client.invalidateQueries({ queryKey: [endpoint.call] }))), [client])
}
