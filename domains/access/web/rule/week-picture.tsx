import { match_names } from '@campus/access/contract'
import type { RulePeriod } from '@campus/access/contract'
import type { ReactNode } from 'react'
import { clockText, flagsText, weekday_names } from './clock.ts'

const day_minutes = 1440
const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24]
type Row = { key: string; name: string; periods: readonly RulePeriod[] }

/** A rule's week: each day a row of 24 hours, in above (blue) and out below (orange); what follows the calendar stands in rows of its own. */
export function WeekPicture({ periods, compact = false }: { periods: readonly RulePeriod[]; compact?: boolean }): ReactNode {
  const rows = rowsOf(periods)
  return (
    <div className={compact ? 'access-week access-week-compact' : 'access-week'} role="table" aria-label="通行时段">
      {!compact && <div className="access-week-head" aria-hidden><span /><div>{hours.map(hour => <i key={hour} style={{ left: `${(hour / 24) * 100}%` }}>{hour}</i>)}</div></div>}
      {rows.map(row => (
        <div key={row.key} role="row" className="access-week-row">
          <span role="rowheader">{row.name}</span>
          <div role="cell">
            <span className="kit-hidden">{row.periods.length === 0 ? '不可通行' : row.periods.map(textOf).join('，')}</span>
            {row.periods.flatMap(bars).map(bar => <i key={`${bar.way} ${bar.begin}`} data-way={bar.way} title={bar.title} style={{ left: `${(bar.begin / day_minutes) * 100}%`, width: `${((bar.end - bar.begin) / day_minutes) * 100}%` }} />)}
          </div>
        </div>
      ))}
    </div>
  )
}

function rowsOf(periods: readonly RulePeriod[]): Row[] {
  const flagged = periods.filter(period => period.week_flags !== null)
  const week = weekday_names.map((name, at): Row => ({ key: name, name: `周${name}`, periods: flagged.filter(period => period.week_flags?.[at]) }))
  const others = ([2, 3, 4, 5] as const).map((match): Row => ({ key: String(match), name: match_names[match], periods: periods.filter(period => period.day_match === match) })).filter(row => row.periods.length > 0)
  return flagged.length === 0 && others.length > 0 ? others : [...week, ...others]
}

function bars(period: RulePeriod): { way: number; begin: number; end: number; title: string }[] {
  const { direction: way, begin_min: begin, end_min: end } = period
  const title = textOf(period)
  const own = { way, begin, end: Math.min(end, day_minutes), title }
  return end > day_minutes ? [own, { way, begin: 0, end: end - day_minutes, title }] : [own]
}

/** `进 07:00–08:00 教学日（周一至周五）` */
export function textOf({ direction, begin_min, end_min, day_match, week_flags }: RulePeriod): string {
  const match = Object.entries(match_names).find(([code]) => Number(code) === day_match)?.[1] ?? ''
  return `${direction === 1 ? '进' : '出'} ${clockText(begin_min)}–${clockText(end_min)} ${match}${week_flags ? `（${flagsText(week_flags)}）` : ''}`
}
