import type { ReactNode } from 'react'
import { day_minutes, daysOf, weekdaysText } from './week.ts'
import type { WeekWindow } from './week.ts'
import { modeName } from './rule-words.ts'
import type { RuleKind } from './rule-words.ts'

const row_height = 3

/** A week in the size of a stamp: seven lines of 24 hours. Its words are for whoever does not see it. */
export function WeekPicture({ kind, windows }: { kind: RuleKind; windows: readonly WeekWindow[] }): ReactNode {
  const words = windows.map(window => `${weekdaysText(window.weekdays)}${window.begin}-${window.end}${modeName(kind, window.mode)}`).join('；')
  return (
    <svg className="rule-week" viewBox={`0 0 ${day_minutes} ${7 * row_height * 20}`} preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      {daysOf(windows).map((pieces, day) => pieces.map(({ from, to, brush }) => <rect key={`${day} ${from}`} className={`rule-${brush.mode ?? 'off'}`} x={from} width={to - from} y={day * row_height * 20} height={row_height * 20 - 8} />))}
    </svg>
  )
}
