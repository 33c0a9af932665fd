import type { ReactNode } from 'react'
import { PaintGrid } from './paint-grid.tsx'
import type { GridLine } from './paint-grid.tsx'

type Props = {
  label: string
  /** both ends included, YYYY-MM-DD */
  from: string
  to: string
  /** head of the week that begins on this Monday */
  renderWeek: (monday: string) => ReactNode
  renderCell: (day: string) => ReactNode
  titleOf: (day: string) => string
  toneOf?: (day: string) => string | undefined
  selected?: ReadonlySet<string>
  onPaint?: (days: string[]) => void
  onOpen?: (day: string) => void
  onKey?: (key: string, day: string) => boolean
}
type Weekday = GridLine & { at: number }

const day_ms = 86_400_000
const weekdays: readonly Weekday[] = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'].map((label, at) => ({ key: label, label, at }))

/** The days of a term, a month or any span as weeks from Monday to Sunday; a drag paints days in a row. */
export function CalendarGrid({ from, to, renderWeek, renderCell, titleOf, toneOf, ...more }: Props): ReactNode {
  const rows = mondaysFrom(from, to).map(monday => ({ key: monday, label: renderWeek(monday) }))
  const dayOf = (row: GridLine, { at }: Weekday) => plus(row.key, at)
  return (
    <PaintGrid
      {...more} wraps corner="周次" rows={rows} columns={weekdays}
      keyOf={(row, column) => {
        const day = dayOf(row, column)
        return day < from || day > to ? null : day
      }}
      renderCell={(row, column) => renderCell(dayOf(row, column))}
      titleOf={(row, column) => titleOf(dayOf(row, column))}
      toneOf={(row, column) => toneOf?.(dayOf(row, column))}
    />
  )
}

function mondaysFrom(from: string, to: string): string[] {
  const weekday = new Date(`${from}T00:00:00Z`).getUTCDay() || 7
  const mondays: string[] = []
  for (let monday = plus(from, 1 - weekday); monday <= to; monday = plus(monday, 7)) mondays.push(monday)
  return mondays
}

function plus(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + n * day_ms).toISOString().slice(0, 10)
}
