import type { DayCount } from '@campus/audit/contract'
import { shiftDay, strip_days } from './log-search.ts'

/** One bar: heights in parts of the strip's height, the refused part below. */
export type Bar = { day: string; n: number; refused: number; height: number; red: number; is_weekend: boolean }

/** Shows that there was something, however little. */
const least = 0.06

/** A bar for each of the days from `from` on; a day without rows has none. */
export function barsOf(from: string, counts: readonly DayCount[]): Bar[] {
  const known = new Map(counts.map(count => [count.day, count]))
  const most = Math.max(1, ...counts.map(count => count.n))
  return Array.from({ length: strip_days }, (_, at) => {
    const day = shiftDay(from, at)
    const { n = 0, refused = 0 } = known.get(day) ?? {}
    const height = n === 0 ? 0 : Math.max(least, n / most)
    return { day, n, refused, height, red: refused === 0 ? 0 : Math.max(least, refused / most), is_weekend: [0, 6].includes(new Date(day).getUTCDay()) }
  })
}

/** What a bar says. */
export function barText({ day, n, refused }: Bar): string {
  const weekday = '日一二三四五六'.charAt(new Date(day).getUTCDay())
  return `${day} 周${weekday} ${n.toLocaleString('zh-CN')} 条${refused > 0 ? `，其中拒绝 ${refused.toLocaleString('zh-CN')} 条` : ''}`
}

/** Both ends of a brushed span, in their order, inside the strip. */
export function spanBetween(bars: readonly Bar[], a: number, b: number): { from: string; to: string } {
  const inside = (at: number) => bars[Math.min(bars.length - 1, Math.max(0, at))]?.day ?? ''
  return { from: inside(Math.min(a, b)), to: inside(Math.max(a, b)) }
}
