import { placeApi } from '@campus/places/contract'
import type { PlaceNode } from '@campus/places/contract'
import { call, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'

export type PlaceChoice = { value: string; title: string; path: string; children: PlaceChoice[] }

/** The places the reader may see, to choose one of them; empty for who may not see places. */
export function usePlaceChoices(): PlaceChoice[] {
  const enabled = useCan(placeApi.tree)
  const query = useQuery({ queryKey: [placeApi.tree.call, ''], queryFn: async ({ signal }) => (await call(placeApi.tree, { lazy: '0' }, { signal, quiet: true })).list, enabled })
  return choicesOf(query.data ?? [])
}

function choicesOf(nodes: readonly PlaceNode[]): PlaceChoice[] {
  return nodes.map(node => ({ value: node.place_id, title: node.place_name, path: node.node_path_name, children: choicesOf(node.children ?? []) }))
}

/** The way to a place, as people say it. */
export function pathOf(choices: readonly PlaceChoice[], place_id: string): string | undefined {
  for (const choice of choices) {
    const found = choice.value === place_id ? choice.path : pathOf(choice.children, place_id)
    if (found !== undefined) return found
  }
  return undefined
}
