import { board_columns } from '@kit/contract'
import type { CardFact, Placed } from '@kit/contract'

const farthest_row = 60

/** The layout without holes: cards fall up, those that stand higher first. */
export function settled(items: readonly Placed[]): Placed[] {
  return stacked(items.toSorted(byPlace))
}

/** The layout after one card was taken to another place; what it meets makes room, below it or above. */
export function moved(items: readonly Placed[], code: string, x: number, y: number): Placed[] {
  const held = items.find(item => item.code === code)
  if (!held) return [...items]
  const target = { ...held, x: between(x, 0, board_columns - held.w), y: Math.max(0, y) }
  const down = target.y > held.y
  const rest = items.filter(item => item.code !== code).toSorted(byPlace)
  const at = rest.filter(item => item.y < target.y || (item.y === target.y && (down || (target.x >= item.x && target.y === held.y && target.x > held.x)))).length
  return stacked([...rest.slice(0, at), target, ...rest.slice(at)])
}

/** One step of a key: sideways a column, up and down past the next card. */
export function stepped(items: readonly Placed[], code: string, dx: number, dy: number): Placed[] {
  const held = items.find(item => item.code === code)
  if (!held) return [...items]
  if (dy === 0) return moved(items, code, held.x + dx, held.y)
  for (let y = held.y + dy; y >= 0 && y <= farthest_row; y += dy) {
    const next = moved(items, code, held.x, y)
    if (next.find(item => item.code === code)?.y !== held.y) return next
  }
  return [...items]
}

/** The layout after one card was given another size; never smaller than it can be read, never beyond the columns. */
export function resized(items: readonly Placed[], code: string, w: number, h: number, [least_w, least_h]: readonly [number, number]): Placed[] {
  return settled(items.map(item => (item.code === code ? { ...item, w: between(w, least_w, board_columns - item.x), h: between(h, least_h, board_columns) } : item)))
}

/** The layout with one more card, in the first place where it fits. */
export function added(items: readonly Placed[], { code, usual: [w, h] }: Pick<CardFact, 'code' | 'usual'>): Placed[] {
  const spots = Array.from({ length: board_columns - w + 1 }, (_, x) => ({ code, x, y: skyline(items, x, w), w, h }))
  const [best] = spots.toSorted(byPlace)
  return best ? [...items, best] : [...items]
}

/** The layout without a card. */
export function removed(items: readonly Placed[], code: string): Placed[] {
  return settled(items.filter(item => item.code !== code))
}

/** The layout before anybody arranges anything: every card in its usual size, in order. */
export function usualLayout(facts: readonly Pick<CardFact, 'code' | 'usual'>[]): Placed[] {
  return facts.reduce<Placed[]>((items, fact) => added(items, fact), [])
}

function stacked(order: readonly Placed[]): Placed[] {
  return order.reduce<Placed[]>((items, item) => [...items, { ...item, y: skyline(items, item.x, item.w) }], [])
}

/** The first free row under everything that stands in these columns. */
function skyline(items: readonly Placed[], x: number, w: number): number {
  return Math.max(0, ...items.filter(item => item.x < x + w && x < item.x + item.w).map(item => item.y + item.h))
}

function byPlace(one: Placed, other: Placed): number {
  return one.y - other.y || one.x - other.x
}

function between(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, Math.round(value)))
}
