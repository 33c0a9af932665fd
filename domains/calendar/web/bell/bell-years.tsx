import { addDays, bellApi, countDays } from '@campus/calendar/contract'
import type { Bell, BellUse } from '@campus/calendar/contract'
import { call, schoolToday, useDictionary } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dayText } from '../words.ts'

const august = 8
const used_weekdays = 5

/** The school year as ribbons, one for the grades that ring alike: which bell rings when, and where it is switched. */
export function BellYears({ bells }: { bells: readonly Bell[] }): ReactNode {
  const { from, to } = yearOf(schoolToday())
  const { data = [] } = useQuery({ queryKey: [bellApi.uses.call, from, to], queryFn: async ({ signal }) => (await call(bellApi.uses, { from, to }, { quiet: true, signal })).list })
  const names = useDictionary('GRADE')
  const lines = [...Map.groupBy([...new Set(data.map(use => use.grade))], grade => JSON.stringify(data.filter(use => use.grade === grade).map(({ grade: _grade, ...use }) => use))).values()]
  const nameOf = (grade: string | undefined) => names.find(({ value }) => value === grade)?.label ?? grade
  const whole = countDays(from, to)
  const percent = (day: string) => ((countDays(from, day) - 1) / whole) * 100
  return (
    <section className="bell-years" aria-label="各年级全年作息">
      <h2>{from.slice(0, 4)}-{to.slice(0, 4)}学年各年级作息</h2>
      {lines.length === 0 && <p>还没有年级使用作息：在作息上选择“切换到此作息”</p>}
      {lines.map(([grade, ...more]) => (
        <div key={grade} className="bell-year">
          <b>{nameOf(grade)}{more.length > 0 && `至${nameOf(more.at(-1))}`}</b>
          <span>
            {data.filter(use => use.grade === grade && isWeek(use)).map(use => {
              const [begin, end] = [use.from > from ? use.from : from, use.to !== null && use.to <= to ? use.to : addDays(to, 1)]
              const bell = bells.find(({ id }) => id === use.bell_id)
              return <i key={`${use.from} ${use.bell_id}`} data-season={bell?.season ?? undefined} style={{ left: `${percent(begin)}%`, width: `${percent(end) - percent(begin)}%` }} title={`${bell?.name ?? ''} ${dayText(begin)}起`}>{bell?.name} {dayText(begin)}起</i>
            })}
          </span>
        </div>
      ))}
    </section>
  )
}

/** What rings on most weekdays; single days are in the switch dialog. */
function isWeek({ week_flags }: BellUse): boolean {
  return week_flags.slice(0, used_weekdays).includes(true)
}

function yearOf(today: string): { from: string; to: string } {
  const year = Number(today.slice(0, 4)) - (Number(today.slice(5, 7)) >= august ? 0 : 1)
  return { from: `${year}-08-01`, to: `${year + 1}-07-31` }
}
