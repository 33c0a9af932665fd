/** Where the popup stands: distance of its left upper corner from that of the window, in pixels. */
export type Place = { x: number; y: number }
type Size = { width: number; height: number }

/** The popup of chapter 10 N8. */
export const popup: Size = { width: 420, height: 600 }
const edge = 16
const button_room = 72

/** Above the button, at the right. */
export function firstPlace(window_size: Size): Place {
  return within({ x: window_size.width - popup.width - edge, y: window_size.height - popup.height - button_room }, window_size)
}

/** The nearest place where its head can still be reached. */
export function within({ x, y }: Place, { width, height }: Size): Place {
  return { x: clamp(x, 0, width - popup.width), y: clamp(y, 0, height - edge * 3) }
}

const steps: Readonly<Record<string, Place>> = { ArrowLeft: { x: -edge, y: 0 }, ArrowRight: { x: edge, y: 0 }, ArrowUp: { x: 0, y: -edge }, ArrowDown: { x: 0, y: edge } }

/** One step by an arrow key; null for any other key. */
export function stepped({ x, y }: Place, key: string, window_size: Size): Place | null {
  const step = steps[key]
  return step ? within({ x: x + step.x, y: y + step.y }, window_size) : null
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)))
}
