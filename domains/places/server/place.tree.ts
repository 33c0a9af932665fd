import type { PlaceNode } from '@campus/places/contract'
import { placeOf } from './place.queries.ts'
import type { PlaceRead } from './place.queries.ts'

/** From here on a tree is sent level by level (chapter 30 §4). */
export const most_at_once = 500

/** Puts places under their superiors, in the order they come; one whose superior is not among them stands as a root. */
export function nestPlaces(rows: readonly PlaceRead[]): PlaceNode[] {
  const nodes = new Map<string, PlaceNode & { children: PlaceNode[] }>(rows.map(row => [row.place_id, { ...placeOf(row), children: [] }]))
  const roots: PlaceNode[] = []
  for (const node of nodes.values()) {
    const superior = node.superior_id === null ? undefined : nodes.get(node.superior_id)
    if (superior) superior.children.push(node)
    else roots.push(node)
  }
  return roots
}
