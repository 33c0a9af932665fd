import { countDays } from '@campus/calendar/contract'
import type { Semester } from '@campus/calendar/contract'
import { schoolToday } from '@kit/web'
import type { ReactNode } from 'react'
import { dayText } from '../words.ts'

/** The school years as one bar: terms to scale, and where today is. */
export function TermStrip({ terms }: { terms: readonly Semester[] }): ReactNode {
  const days = terms.flatMap(({ begin_date, end_date }) => [begin_date, end_date]).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  const today = schoolToday()
  const whole = countDays(first, last)
  const at = (day: string) => `${((countDays(first, day) - 1) / whole) * 100}%`
  const width = (from: string, to: string) => `${(countDays(from, to) / whole) * 100}%`
  return (
    <div className="term-strip" aria-hidden>
      {terms.map(({ id, name, begin_date, end_date, state }) => (
        <span key={id} data-state={state} style={{ left: at(begin_date), width: width(begin_date, end_date) }} title={`${name}：${begin_date} 至 ${end_date}`}>{name}</span>
      ))}
      {first <= today && today <= last && <i style={{ left: at(today) }} title={`今天 ${dayText(today)}`} />}
    </div>
  )
}
