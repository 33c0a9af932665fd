import { addDays, mondayOf, weekCount, weekKindOf } from '@campus/calendar/contract'
import type { ReactNode } from 'react'
import { dayText, weekKindName } from '../words.ts'

/** The weeks of a term as they will be counted. */
export function WeekTable({ begin, end, odd_first }: { begin: string; end: string; odd_first: boolean }): ReactNode {
  const count = weekCount({ begin_date: begin, end_date: end })
  const weeks = Array.from({ length: count }, (_, at) => addDays(mondayOf(begin), at * 7))
  return (
    <section className="term-weeks" aria-label="周次">
      <h3>共{count}周</h3>
      <ol>
        {weeks.map((monday, at) => (
          <li key={monday}><b>第{at + 1}周</b>{dayText(monday < begin ? begin : monday)}–{dayText(addDays(monday, 6) > end ? end : addDays(monday, 6))}<small>{weekKindName(weekKindOf(at + 1, odd_first))}</small></li>
        ))}
      </ol>
    </section>
  )
}
