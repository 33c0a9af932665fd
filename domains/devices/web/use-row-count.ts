import { useSettled } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

/** The days, both included, and what else was chosen, by the names of the call. */
export type DayAsked = { from: string; to: string; filters: Record<string, string> }

/** How many rows an export would hold, once the typing has paused; null while that is not known, or where nobody counts. */
export function useRowCount(title: string, asked: DayAsked, read: ((asked: DayAsked, signal: AbortSignal) => Promise<number>) | undefined): number | null {
  const text = JSON.stringify(asked)
  const is_settled = useSettled(text) === text
  const enabled = read !== undefined && is_settled && asked.from !== '' && asked.to !== ''
  const query = useQuery({ queryKey: ['rows of an export', title, text], queryFn: ({ signal }) => (read ? read(asked, signal) : 0), enabled, placeholderData: keepPreviousData, retry: false, staleTime: 0 })
  return read === undefined || query.isError ? null : (query.data ?? null)
}
