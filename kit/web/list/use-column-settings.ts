import { useQuery, useQueryClient } from '@tanstack/react-query'
import { kitPorts } from '../ports.ts'
import type { ColumnSetting } from '../ports.ts'
import { mergeSettings } from './columns.ts'

/** Column settings of one list, kept per user and route on the server; shown at once, saved behind. */
export function useColumnSettings(home: string, defaults: ColumnSetting[]): [ColumnSetting[], (lines: ColumnSetting[]) => void] {
  const client = useQueryClient()
  const pref_key = `columns:${home}`
  const { data } = useQuery({
    queryKey: ['preference', pref_key],
    queryFn: async () => (await kitPorts().readPreference(pref_key)) ?? null,
    staleTime: Infinity,
    retry: false,
  })
  const save = (lines: ColumnSetting[]) => {
    client.setQueryData(['preference', pref_key], lines)
    saveInOrder(pref_key, lines)
  }
  return [mergeSettings(defaults, data), save]
}

/** Saves on their way, by preference: a later one waits for the earlier, which must not arrive after it. */
const on_the_way = new Map<string, Promise<unknown>>()

function saveInOrder(pref_key: string, lines: ColumnSetting[]): void {
  const earlier = on_the_way.get(pref_key) ?? Promise.resolve()
  const saved = earlier.then(() => kitPorts().savePreference(pref_key, lines)).catch(() => undefined)
  on_the_way.set(pref_key, saved)
}
