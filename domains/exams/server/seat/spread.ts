/** How many pupils of which class a room gets: room → class → count. */
export type Spread = Map<string, Map<string, number>>
type RoomFacts = { room_id: string; capacity: number; apart: number }

/**
 * Deals classes over rooms: rooms of even sizes, every class spread evenly, no more of a class in a room than it takes without neighbours. The largest class
 * is dealt first, as it has the fewest choices. @returns null when the deal does not come out, which the check before it makes rare
 */
export function dealClasses(sizes: ReadonlyMap<string, number>, rooms: readonly RoomFacts[]): Spread | null {
  const targets = evenTargets([...sizes.values()].reduce((sum, size) => sum + size, 0), rooms)
  const spread: Spread = new Map(rooms.map(room => [room.room_id, new Map()]))
  const filled = new Map(rooms.map(room => [room.room_id, 0]))
  const countOf = (room_id: string, dept: string) => spread.get(room_id)?.get(dept) ?? 0
  const put = (room_id: string, dept: string, by: number) => {
    spread.get(room_id)?.set(dept, countOf(room_id, dept) + by)
    filled.set(room_id, (filled.get(room_id) ?? 0) + by)
  }
  for (const [dept, size] of [...sizes].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))) {
    for (let n = 0; n < size; n++) {
      const open = rooms.filter(room => (filled.get(room.room_id) ?? 0) < (targets.get(room.room_id) ?? 0) && countOf(room.room_id, dept) < room.apart)
      const best = least(open, room => countOf(room.room_id, dept) / room.apart + ((filled.get(room.room_id) ?? 0) / (targets.get(room.room_id) ?? 1)) / 1000)
      if (best) put(best.room_id, dept, 1)
      else if (!makeRoom(dept)) return null
    }
  }
  return spread

  /** Moves somebody of another class out of a room that could take one of this class. */
  function makeRoom(dept: string): boolean {
    const able = rooms.filter(room => countOf(room.room_id, dept) < room.apart)
    const spare = rooms.filter(room => (filled.get(room.room_id) ?? 0) < room.capacity)
    const direct = able.find(room => spare.includes(room))
    if (direct) {
      put(direct.room_id, dept, 1)
      return true
    }
    for (const from of able) {
      for (const [other, count] of spread.get(from.room_id) ?? []) {
        const to = other === dept || count === 0 ? undefined : spare.find(room => countOf(room.room_id, other) < room.apart)
        if (!to) continue
        put(from.room_id, other, -1)
        put(to.room_id, other, 1)
        put(from.room_id, dept, 1)
        return true
      }
    }
    return false
  }
}

/** Seats to fill in each room: sizes differ by one at most, as far as the rooms are large enough. */
function evenTargets(total: number, rooms: readonly RoomFacts[]): Map<string, number> {
  const targets = new Map<string, number>()
  let left = total
  rooms.toSorted((a, b) => a.capacity - b.capacity).forEach((room, at) => {
    const share = Math.min(room.capacity, Math.ceil(left / (rooms.length - at)))
    targets.set(room.room_id, share)
    left -= share
  })
  return targets
}

/** The element with the least measure; the first of equals. */
export function least<T>(list: readonly T[], measure: (one: T) => number): T | undefined {
  let best: T | undefined
  let value = Infinity
  for (const one of list) {
    const measured = measure(one)
    if (measured < value) [best, value] = [one, measured]
  }
  return best
}
