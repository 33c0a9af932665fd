import { useQuery, useQueryClient } from '@tanstack/react-query'
import { kitPorts } from '../ports.ts'
import type { ColumnSetting } from '../ports.ts'
import { mergeSettings } from './columns.ts'

/** The lines as they are shown; `save` keeps the person's own ones, `reset` goes back to the school's, or to those of the product. */
export type KeptColumns = { lines: ColumnSetting[]; save: (lines: ColumnSetting[]) => void; reset: () => void }

/** Column settings of one list, kept per user and route on the server; shown at once, saved behind. */
export function useColumnSettings(home: string, defaults: ColumnSetting[]): KeptColumns {
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
    void saveInOrder(pref_key, lines)
  }
  const reset = () => {
    client.setQueryData(['preference', pref_key], null)
    void saveInOrder(pref_key, null).then(() => client.invalidateQueries({ queryKey: ['preference', pref_key] }))
  }
  return { lines: mergeSettings(defaults, data), save, reset }
}

/** Saves on their way, by preference: a later one waits for the earlier, which must not arrive after it. */
const on_the_way = new Map<string, Promise<unknown>>()

function saveInOrder(pref_key: string, lines: ColumnSetting[] | null): Promise<unknown> {
  const earlier = on_the_way.get(pref_key) ?? Promise.resolve()
  const saved = earlier.then(() => kitPorts().savePreference(pref_key, lines)).catch(() => undefined)
  on_the_way.set(pref_key, saved)
  return saved
}
