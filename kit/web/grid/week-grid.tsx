import type { ReactNode } from 'react'
import { PaintGrid } from './paint-grid.tsx'
import type { GridLine } from './paint-grid.tsx'

/** A part of the day: lesson or break, with its clock times. */
export type WeekLine = { key: string; name: string; begin: string; end: string }
type Row = GridLine & { line: WeekLine }
type Column = GridLine & { weekday: number }
type Props = {
  label: string
  lines: readonly WeekLine[]
  /** 1 = Monday; days that are not named are folded away */
  weekdays: readonly number[]
  /** under the name of a weekday, e.g. its date */
  renderDay?: (weekday: number) => ReactNode
  /** false: there is nothing on that day */
  has?: (line: WeekLine, weekday: number) => boolean
  renderCell: (line: WeekLine, weekday: number) => ReactNode
  titleOf: (line: WeekLine, weekday: number) => string
  toneOf?: (line: WeekLine, weekday: number) => string | undefined
  selected?: ReadonlySet<string>
  /** keys are `{line.key}/{weekday}` */
  onPaint?: (keys: string[]) => void
  onOpen?: (key: string) => void
  onKey?: (key: string, cell: string) => boolean
}

const names = ['', '周一', '周二', '周三', '周四', '周五', '周六', '周日']

/** Parts of the day by the clock against the days of a week: timetables, rosters. A drag paints a rectangle. */
export function WeekGrid({ lines, weekdays, renderDay, has, renderCell, titleOf, toneOf, ...more }: Props): ReactNode {
  const rows = lines.map((line): Row => ({ key: line.key, line, title: line.name, label: <>{line.name}<small>{line.begin}–{line.end}</small></> }))
  const columns = weekdays.map((weekday): Column => ({ key: String(weekday), weekday, label: <>{names[weekday]}{renderDay && <small>{renderDay(weekday)}</small>}</> }))
  return (
    <PaintGrid
      {...more} corner="节次" rows={rows} columns={columns}
      keyOf={({ line }, { weekday }) => (has?.(line, weekday) === false ? null : `${line.key}/${weekday}`)}
      renderCell={({ line }, { weekday }) => renderCell(line, weekday)}
      titleOf={({ line }, { weekday }) => titleOf(line, weekday)}
      toneOf={({ line }, { weekday }) => toneOf?.(line, weekday)}
    />
  )
}
