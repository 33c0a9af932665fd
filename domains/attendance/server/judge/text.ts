import type { Leave, Point, Span } from './types.ts'
import { zone_ms } from './window.ts'

/** `07:21` in Shanghai. */
export function clockText(at: number): string {
  return new Date(at + zone_ms).toISOString().slice(11, 16)
}

export function coverText(leaves: readonly Leave[]): string {
  return leaves.map(({ text, begin, end }) => `${text}（${clockText(begin)}至${clockText(end)}）`).join('、')
}

/** Why a device proves nothing: `E203班牌08:00后没有上传记录`, `E203班牌10:02–10:31离线`. */
export function outageText(point: Point | undefined, window: Span): string {
  if (!point) return '考勤设备没有上传记录'
  const outage = point.outages.find(one => one.begin < window.end && one.end > window.begin)
  if (outage) return `${point.name}${clockText(outage.begin)}–${clockText(outage.end)}离线`
  return point.drained_to === null ? `${point.name}还没有上传过记录` : `${point.name}${clockText(point.drained_to)}后的记录还没有上传`
}
