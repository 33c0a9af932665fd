import type { FloorPin } from '@campus/devices/contract'

export type Point = { x: number; y: number }
const [step, long_step, precision] = [0.005, 0.05, 100_000] as const
const arrows: Readonly<Record<string, Point>> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } }
const within = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * precision) / precision

/** A point of the screen as parts of the picture that lies in a box, kept on the picture. */
export function partOf({ clientX, clientY }: { clientX: number; clientY: number }, box: { left: number; top: number; width: number; height: number }): Point {
  return { x: within((clientX - box.left) / box.width), y: within((clientY - box.top) / box.height) }
}

/** Where an arrow key moves a pin, farther with Shift; null for any other key. */
export function nudged({ x, y }: Point, { key, shiftKey }: { key: string; shiftKey: boolean }): Point | null {
  const way = arrows[key]
  const size = shiftKey ? long_step : step
  return way ? { x: within(x + way.x * size), y: within(y + way.y * size) } : null
}

/** Names a pin among all of one plan. */
export function pinKey({ kind, id }: Pick<FloorPin, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}
