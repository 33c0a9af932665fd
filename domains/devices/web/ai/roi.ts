import type { AiPoint } from '@campus/devices/contract'

const fewest = 3

/** The area with one more corner: in the side that is nearest to it, so that the area stays one piece. */
export function withCorner(corners: readonly AiPoint[], corner: AiPoint): AiPoint[] {
  if (corners.length < fewest) return [...corners, corner]
  const sides = corners.map((from, at) => distance(corner, from, corners[(at + 1) % corners.length] ?? from))
  const nearest = sides.indexOf(Math.min(...sides))
  return [...corners.slice(0, nearest + 1), corner, ...corners.slice(nearest + 1)]
}

/** A corner moved by parts of the picture; it never leaves it. */
export function moved({ x, y }: AiPoint, by_x: number, by_y: number): AiPoint {
  return { x: within(x + by_x), y: within(y + by_y) }
}

function within(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 1000) / 1000
}

/** How far a point is from the line between two others. */
function distance({ x, y }: AiPoint, from: AiPoint, to: AiPoint): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length))
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy)
}
