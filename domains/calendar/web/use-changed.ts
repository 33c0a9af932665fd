import { useQueryClient } from '@tanstack/react-query'
import { currentKey } from './today-tag.tsx'

/** After a change of the calendar everything that shows days is asked for again. */
export function useCalendarChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('calendar.') }), client.invalidateQueries({ queryKey: currentKey })])
  }
}
