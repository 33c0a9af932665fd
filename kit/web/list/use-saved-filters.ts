import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { kitPorts } from '../ports.ts'
import { readSaved } from './saved-filters.ts'
import type { SavedFilter } from './saved-filters.ts'
import type { ResourceList } from './use-resource-list.ts'

/** Saved filters of one list, kept per person and route on the server. A list opened without a filter opens with the default one. */
export function useSavedFilters<Row, Name extends string>(of: ResourceList<Row, Name>): [readonly SavedFilter[], (list: SavedFilter[]) => void] {
  const client = useQueryClient()
  const pref_key = `filters:${of.home}`
  const queryKey = ['preference', pref_key]
  const { data } = useQuery({ queryKey, queryFn: async () => (await kitPorts().readPreference(pref_key)) ?? null, staleTime: Infinity, retry: false })
  const saved = readSaved(data)
  useDefaultOnce(of, data === undefined ? undefined : (saved.find(({ is_default }) => is_default) ?? null))
  const save = (list: SavedFilter[]) => {
    client.setQueryData(queryKey, list)
    void kitPorts().savePreference(pref_key, list)
  }
  return [saved, save]
}

/** Only when the list is opened: whoever takes the filters away wants to see everything. */
function useDefaultOnce<Row, Name extends string>(of: ResourceList<Row, Name>, filter: SavedFilter | null | undefined): void {
  const done = useRef(false)
  useEffect(() => {
    if (done.current || filter === undefined) return
    done.current = true
    if (filter && Object.keys(of.values).length === 0) of.filterBy({ ...filter.values })
  }, [filter, of])
}
