import { parentApi, staffApi, studentApi } from '@campus/people/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'

const Listed = z.object({ list: z.array(z.object({ user_id: z.string() })) })
const lists = [studentApi.list.call, staffApi.list.call, parentApi.list.call]

// Where something is typed the keys are not the page's, and arrows not where they walk already.
const typing_places = 'input, textarea, select, [contenteditable], [role=dialog]'
const walking_places = '[role=tablist], [role=menu], [role=listbox]'

/** What is done at a key of the page. */
export function usePageKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const is_busy = event.target instanceof HTMLElement && event.target.closest(event.key.startsWith('Arrow') ? `${typing_places}, ${walking_places}` : typing_places) !== null
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!act || is_busy || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('[role=dialog]') !== null) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

/** Who stands before and after somebody in the list that the page was opened from. */
export function useNeighbours(id: string): { before: string | undefined; after: string | undefined } {
  const client = useQueryClient()
  const [kept, keep] = useState<readonly string[]>(() => listWith(client, id))
  const order = kept.includes(id) ? kept : listWith(client, id)
  if (order !== kept && order.length > 0) keep(order)
  const at = order.indexOf(id)
  return at < 0 ? { before: undefined, after: undefined } : { before: order[at - 1], after: order[at + 1] }
}

/** The people of the list read last in which this one stands. */
function listWith(client: QueryClient, id: string): readonly string[] {
  const read = lists.flatMap(name => client.getQueryCache().findAll({ queryKey: [name] })).toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const { state } of read) {
    const listed = Listed.safeParse(state.data)
    const ids = listed.success ? listed.data.list.map(row => row.user_id) : []
    if (ids.includes(id)) return ids
  }
  return []
}
