/** A class without a room, with where the rooms of its grade are. */
export type RoomSeeker = { dept_id: string; parent_id: string | null }
/** A free room; `node_path` tells its building and floor. */
export type FreeRoom = { place_id: string; place_kind: number; node_path: string; capacity: number | null }
/** Rooms that classes have already, with the grade of the class. */
export type KnownHome = { parent_id: string | null; node_path: string }

const plain_classroom = 4

/**
 * Which free room suits which class (chapter 30 rule 22): as near to the rooms of its grade as there is one, counted in steps of the tree, a plain
 * classroom before a special one; among equals the first in the tree. Classes come in their order, each room goes once.
 */
export function suggestHomes(classes: readonly RoomSeeker[], rooms: readonly FreeRoom[], homes: readonly KnownHome[]): { dept_id: string; place_id: string }[] {
  const free = [...rooms]
  const taken: KnownHome[] = [...homes]
  return classes.flatMap(({ dept_id, parent_id }) => {
    const near = taken.filter(home => home.parent_id === parent_id).map(home => home.node_path)
    const [best] = free.toSorted((a, b) => rank(a, near) - rank(b, near))
    if (!best) return []
    free.splice(free.indexOf(best), 1)
    taken.push({ parent_id, node_path: best.node_path })
    return [{ dept_id, place_id: best.place_id }]
  })
}

function rank({ node_path, place_kind }: FreeRoom, near: readonly string[]): number {
  const apart = near.length === 0 ? 0 : Math.min(...near.map(path => stepsApart(path, node_path)))
  return apart * 2 + (place_kind === plain_classroom ? 0 : 1)
}

function stepsApart(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  const shared = one.findIndex((part, at) => part !== other[at])
  return shared === -1 ? 0 : Math.max(one.length, other.length) - shared
}
