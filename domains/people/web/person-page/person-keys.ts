import { parentApi, staffApi, studentApi } from '@campus/people/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'

const Listed = z.object({ list: z.array(z.object({ user_id: z.string() })) })
const lists = [studentApi.list.call, staffApi.list.call, parentApi.list.call]

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
