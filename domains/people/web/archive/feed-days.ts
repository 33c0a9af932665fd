import type { FeedRow } from '@campus/people/contract'
import { instantText } from '@kit/web'

export type FeedDay = { day: string; title: string; rows: FeedRow[] }

const weekdays = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']

/** The lines by day of the school, newest first; a day is told by its date, its weekday and whether it is today. */
export function feedDays(rows: readonly FeedRow[], today: string): FeedDay[] {
  const by_day = Map.groupBy(rows, row => instantText(row.happened_at).slice(0, 10))
  return [...by_day].map(([day, lines]) => ({ day, title: titleOf(day, today), rows: lines }))
}

function titleOf(day: string, today: string): string {
  const at = new Date(`${day}T00:00:00Z`)
  const date = `${day.slice(0, 4) === today.slice(0, 4) ? '' : `${day.slice(0, 4)}年`}${Number(day.slice(5, 7))}月${Number(day.slice(8))}日`
  return `${date} ${weekdays[at.getUTCDay()] ?? ''}${day === today ? ' · 今天' : ''}`
}
