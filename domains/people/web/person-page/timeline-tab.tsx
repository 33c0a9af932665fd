import type { Lane, TimelineItem } from '@campus/people/contract'
import { instantText } from '@kit/web'
import { useRouter } from '@tanstack/react-router'
import { Alert, Button, Checkbox, DatePicker, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { useTimeline } from './use-person.ts'

const day_end = 10
const month_end = 7
const time_at = 11
const midnight = '00:00'

/** The river of what happened; `only` keeps it to one lane. */
export function TimelineTab({ id, only }: { id: string; only?: string }): ReactNode {
  const [off, setOff] = useState<readonly string[]>([])
  const [to, setTo] = useState<string>()
  const { data, failed, again, more, loading } = useTimeline(id, { domains: only === undefined ? null : [only], to })
  if (failed !== null) return <LoadFailed text={failed} again={again} />
  if (!data) return <Skeleton active />
  const shown = data.list.filter(item => !off.includes(item.lane))
  const months = [...new Set(shown.map(item => instantText(item.at).slice(0, month_end)))]
  return (
    <div className="person-river">
      <div className="person-flow">
        {only === undefined && <Lanes lanes={data.lanes} off={off} setOff={setOff} />}
        <div>截至 <DatePicker aria-label="截至日期" onChange={day => setTo(day ? day.format('YYYY-MM-DD') : undefined)} /></div>
        {data.unavailable.map(lane => <Alert key={lane.lane} type="warning" showIcon title={`${lane.title}暂不可用`} action={<Button size="small" aria-label={`重试 ${lane.title}`} loading={loading} onClick={again}>重试</Button>} />)}
        {shown.length === 0 && <p className="person-none">{only === undefined ? '还没有可以显示的记录。' : '暂无异动记录。'}</p>}
        {months.map(month => <Month key={month} month={month} items={shown.filter(item => instantText(item.at).startsWith(month))} lanes={data.lanes} />)}
        {more && <Button loading={loading} onClick={more}>更早的记录</Button>}
      </div>
      {months.length > 1 && (
        <nav className="person-months" aria-label="月份">
          {months.map(month => <a key={month} className="kit-link" href={`#month-${month}`} onClick={event => { event.preventDefault(); document.getElementById(`month-${month}`)?.scrollIntoView() }}>{month}</a>)}
        </nav>
      )}
    </div>
  )
}

function Lanes({ lanes, off, setOff }: { lanes: readonly Lane[]; off: readonly string[]; setOff: (off: readonly string[]) => void }): ReactNode {
  return (
    <div role="group" aria-label="显示的内容">
      {lanes.map(({ lane, title }) => <Checkbox key={lane} checked={!off.includes(lane)} onChange={({ target }) => setOff(target.checked ? off.filter(one => one !== lane) : [...off, lane])}>{title}</Checkbox>)}
    </div>
  )
}

function Month({ month, items, lanes }: { month: string; items: readonly TimelineItem[]; lanes: readonly Lane[] }): ReactNode {
  return (
    <section id={`month-${month}`} aria-label={month}>
      <h3>{month}</h3>
      <ol>
        {items.map(item => {
          const text = instantText(item.at)
          const time = text.slice(time_at, time_at + midnight.length)
          return (
            <li key={`${item.lane} ${item.id}`}>
              <time dateTime={item.at} className="kit-number">{text.slice(0, day_end)} {time === midnight ? '' : time}</time>
              <small>{lanes.find(({ lane }) => lane === item.lane)?.title}</small>
              <Title item={item} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Title({ item: { title, link } }: { item: TimelineItem }): ReactNode {
  const { history } = useRouter()
  return link === null ? <span>{title}</span> : <a className="kit-link" href={link} onClick={event => { event.preventDefault(); history.push(link) }}>{title}</a>
}
