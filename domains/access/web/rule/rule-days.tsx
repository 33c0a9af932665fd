import { ruleApi } from '@campus/access/contract'
import type { RuleDay } from '@campus/access/contract'
import { schoolToday } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import { clockText, weekday_names } from './clock.ts'

const days_shown = 55

/** The next eight weeks as they will be: make-up days are coloured, 返校日 and 放假日 named. */
export function RuleDays({ rule_id }: { rule_id: string }): ReactNode {
  const monday = dayjs(schoolToday()).subtract((dayjs(schoolToday()).day() + 6) % 7, 'day')
  const query = useCall(ruleApi.days, { rule_id, from: monday.format('YYYY-MM-DD'), to: monday.add(days_shown, 'day').format('YYYY-MM-DD') })
  return (
    <Loaded query={query}>
      {({ list }) => (
        <div className="access-days">
          {weekday_names.map(name => <b key={name}>周{name}</b>)}
          {list.map(day => <Day key={day.date} day={day} />)}
        </div>
      )}
    </Loaded>
  )
}

function Day({ day }: { day: RuleDay }): ReactNode {
  const text = (spans: RuleDay['in']) => spans.map(([begin, end]) => `${clockText(begin)}–${clockText(end)}`).join(' ')
  return (
    <div className="access-day" data-teaching={day.is_teaching} data-moved={day.is_moved}>
      <b>{day.date.slice(5)}</b> {day.is_moved ? '补班' : day.label}
      {day.in.length > 0 && <p>进 {text(day.in)}</p>}
      {day.out.length > 0 && <p>出 {text(day.out)}</p>}
    </div>
  )
}
