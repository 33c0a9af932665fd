import { HOLIDAY_KIND, specialApi } from '@campus/calendar/contract'
import type { SchoolDay, Semester, Special } from '@campus/calendar/contract'
import { call, confirmDanger, schoolToday, sentenceOf, toast } from '@kit/web'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'
import { dayText, kindName, weekday_names } from '../words.ts'
import type { Opened } from './opened.ts'

type Props = {
  term: Semester
  days: ReadonlyMap<string, SchoolDay>
  specials: readonly Special[]
  selected: ReadonlySet<string>
  may_edit: boolean
  open: (next: Opened) => void
  follow: (date: string) => void
}

const make_up = 3

/** What is set upon the chosen days; without any the sum of the term and the make-up days that wait for a choice. */
export function DayPanel({ term, days, specials, selected, may_edit, open, follow }: Props): ReactNode {
  const chosen = [...selected].toSorted()
  const [from, to] = [chosen[0], chosen.at(-1)]
  return (
    <aside className="calendar-panel kit-no-print" aria-label="校历详情">
      <TermSum term={term} days={days} select={date => (may_edit ? follow(date) : undefined)} />
      {from !== undefined && to !== undefined && (
        <section aria-label="所选日期">
          <h2>{from === to ? `${dayText(from)} ${weekdayText(days.get(from), from)}` : `${dayText(from)} 至 ${dayText(to)}（${chosen.length}天）`}</h2>
          {may_edit && <div className="calendar-buttons">
            <Button type="primary" size="small" onClick={() => open({ view: 'new', from, to })}>{from < schoolToday() ? '更正' : '设置'}</Button>
            {from === to && days.get(from)?.day_kind === make_up && from >= schoolToday() && <Button size="small" onClick={() => follow(from)}>选择补哪天的课</Button>}
          </div>}
          <SpecialList specials={specials.filter(one => one.begin_date <= to && one.end_date >= from)} may_edit={may_edit} open={open} />
        </section>
      )}
      <Legend />
    </aside>
  )
}

function weekdayText(day: SchoolDay | undefined, date: string): string {
  return `${weekday_names[new Date(`${date}T00:00:00Z`).getUTCDay() || 7]}${day ? ` · ${kindName(day.day_kind)}` : ''}`
}

function TermSum({ term, days, select }: { term: Semester; days: ReadonlyMap<string, SchoolDay>; select: (date: string) => void }): ReactNode {
  const all = [...days.values()].filter(({ semester_id }) => semester_id === term.id)
  const unset = all.filter(day => day.day_kind === make_up && day.plan_weekday === null && day.date >= schoolToday())
  const by_weekday = [1, 2, 3, 4, 5].map(weekday => all.filter(day => day.is_school_day && day.plan_weekday === weekday).length)
  return (
    <section aria-label="学期合计">
      <h2>{term.weeks}周 · {all.filter(day => day.is_school_day).length}个教学日</h2>
      <p>{by_weekday.map((count, at) => `${weekday_names[at + 1]} ${count}`).join(' · ')}</p>
      {unset.map(({ date }) => <Button key={date} size="small" danger onClick={() => select(date)}>{dayText(date)} 未指定补哪天的课</Button>)}
    </section>
  )
}

function SpecialList({ specials, may_edit, open }: { specials: readonly Special[]; may_edit: boolean; open: (next: Opened) => void }): ReactNode {
  const changed = useCalendarChanged()
  const remove = async (special: Special) => {
    if (!(await confirmDanger({ title: `删除“${special.name}”？`, touches: '这些日期恢复为平常的安排。', ok: '删除' }))) return
    try {
      await call(specialApi.remove, { id: special.id }, { quiet: true })
      toast.success('删除成功!')
    } catch (cause) {
      toast.warning(sentenceOf(cause))
    }
    await changed()
  }
  if (specials.length === 0) return <p>没有特别设置</p>
  return (
    <ul>
      {specials.map(special => (
        <li key={special.id}>
          <b>{special.name}</b>
          <span><Tag>{kindName(special.kind)}</Tag>{special.source === 'national' && <Tag>国家</Tag>}{special.closed_from !== null && <Tag>{special.closed_from}–{special.closed_to} 停课</Tag>}</span>
          <small>{dayText(special.begin_date)}{special.end_date === special.begin_date ? '' : ` 至 ${dayText(special.end_date)}`}</small>
          {may_edit && special.begin_date >= schoolToday() && (
            <span>
              <Button type="link" size="small" aria-label={`编辑 ${special.name}`} onClick={() => open({ view: 'edit', special })}>编辑</Button>
              <Button type="link" size="small" danger aria-label={`删除 ${special.name}`} onClick={() => void remove(special)}>删除</Button>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Legend(): ReactNode {
  return <div className="calendar-legend" aria-hidden>{Object.entries(HOLIDAY_KIND.names).map(([code, name]) => <span key={code} data-tone={`kind-${code}`}>{name}</span>)}</div>
}
